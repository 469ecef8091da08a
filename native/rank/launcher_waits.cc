// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/launcher_waits.h"

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "native/rank/exported.h"
#include "native/rank/process.h"

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

}  // namespace strata::native

using namespace strata::native;

STRATA_EXPORTED int epoll_wait(int file, struct epoll_event* events, int most, int timeout_ms) {
  if (timeout_ms != 0 && attached()) {
    handled.fetch_add(1);
    if (sleeps.load()) wake(handled);
  }
  return static_cast<int>(::syscall(SYS_epoll_wait, file, events, most, timeout_ms));
}
