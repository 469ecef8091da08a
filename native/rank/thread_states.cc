// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/thread_states.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "native/rank/real_clock.h"

namespace strata::native {
namespace {

// The thread's own processor time. Computations between two calls are mostly shorter; a thread that has waited in a
// loop once will do so again.
constexpr double kSpins_s = 5, kSpinsAgain_s = 0.01;
// System calls other than futex(2) that wait for another thread, such as read(2) of a pipe, take longer than this.
constexpr std::chrono::milliseconds kLongCall(20);

// Not the C library's functions, which threads may be in.
long read_file(const char* path, char* text, std::size_t bytes) {
  const long file = ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return -1;
  const long length = ::syscall(SYS_read, file, text, bytes - 1);
  ::syscall(SYS_close, file);
  text[length > 0 ? length : 0] = '\0';
  return length;
}

}  // namespace

bool ThreadState::at_rest() {
  if (tid_ == 0) return false;
  char path[64], text[256];
  // "running", "-1 0x... 0x..." if it sleeps outside a system call (a page is read), or the call's number.
  std::snprintf(path, sizeof path, "/proc/self/task/%d/syscall", tid_);
  if (read_file(path, text, sizeof text) < 0) {
    std::snprintf(path, sizeof path, "/proc/self/task/%d", tid_);
    return ::syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0;
  }
  char* end = nullptr;
  const long call = std::strtol(text, &end, 10);
  if (end == text || call < 0) {
    in_call_ = -1;
    return false;
  }
  if (!sleeps()) {
    in_call_ = -1;
    return false;
  }
  if (call == SYS_futex) return true;
  if (call != in_call_) {
    in_call_ = call;
    in_call_since_ = real_now();
  }
  return real_now() - in_call_since_ > kLongCall;
}

// A thread that is just being woken still shows its system call, but no longer that it sleeps.
bool ThreadState::sleeps() const {
  char path[64], text[256];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid_);
  if (read_file(path, text, sizeof text) < 0) return false;
  const char* const behind_name = std::strrchr(text, ')');
  return behind_name != nullptr && behind_name[1] == ' ' && behind_name[2] == 'S';
}

bool ThreadState::seems_to_spin() {
  const double time_s = processor_time_s();
  if (!noticed_) {
    noticed_ = true;
    since_s_ = time_s;
  }
  if (time_s - since_s_ < (has_spun_ ? kSpinsAgain_s : kSpins_s)) return false;
  has_spun_ = true;
  return true;
}

double ThreadState::processor_time_s() const {
  if (tid_ == 0) return 0;
  // As pthread_getcpuclockid() makes it: the thread, and CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED.
  const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(tid_) << 3U) | 6U);
  timespec t = {};
  if (::syscall(SYS_clock_gettime, clock, &t) != 0) return 0;
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace strata::native
