// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/launcher_waits.h"

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "native/rank/exported.h"
#include "native/rank/process.h"
#include "native/rank/real_clock.h"

namespace strata::native {
namespace {

// The sleeper may wait for something that causes no event. Open MPI has some ten such waits.
constexpr timespec kLongest = {0, 50'000'000};

std::atomic<std::uint32_t> handled{0};  // how often a thread has begun to wait for events
std::atomic<bool> sleeps{false};

}  // namespace

bool wait_for_launcher() {
  static std::uint32_t seen = 0;
  if (handled.load() == 0) return false;
  sleeps.store(true);
  sleep_while(handled, seen, &kLongest);
  sleeps.store(false);
  seen = handled.load();  // before the caller looks for its answer
  return true;
}

void wait_for_node() {
  using std::chrono::microseconds;
  constexpr microseconds kShortest{50}, kLongest{20'000}, kPause{5000};
  thread_local microseconds sleep = kShortest;
  thread_local std::chrono::steady_clock::time_point last;
  if (real_now() - last > kPause) sleep = kShortest;
  const timespec request = {0, 1000L * sleep.count()};
  real_sleep(request);
  sleep = std::min(2 * sleep, kLongest);
  last = real_now();
}

}  // namespace strata::native

using namespace strata::native;

STRATA_EXPORTED int epoll_wait(int file, struct epoll_event* events, int most, int timeout_ms) {
  if (timeout_ms != 0 && attached()) {
    handled.fetch_add(1);
    if (sleeps.load()) wake(handled);
  }
  return static_cast<int>(::syscall(SYS_epoll_wait, file, events, most, timeout_ms));
}
