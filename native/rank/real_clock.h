// SPDX-License-Identifier: LGPL-2.1-only
// The time of this computer, and sleeps in it, which programs under Strata do not see: from the kernel, because the C
// library's functions are those of clocks.cc here.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

namespace strata::native {

inline std::chrono::steady_clock::time_point real_now() {
  timespec t;
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  return std::chrono::steady_clock::time_point(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
}

/// As nanosleep().
inline int real_sleep(const timespec& request, timespec* left = nullptr) {
  return static_cast<int>(::syscall(SYS_nanosleep, &request, left));
}

}  // namespace strata::native
