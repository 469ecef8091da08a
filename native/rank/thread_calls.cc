// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/thread_calls.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <string_view>

#include "native/rank/call_entries.h"
#include "native/rank/callers.h"
#include "native/rank/exported.h"
#include "native/rank/launcher_waits.h"
#include "native/rank/process.h"
#include "native/rank/turns.h"

namespace strata::native {
namespace {

bool is_of_launcher(void* caller) {
  if (!takes_turns()) return false;
  const std::string_view library = library_of(caller);
  return library.find("libpmix") != std::string_view::npos || library.find("libevent") != std::string_view::npos;
}

struct Start {
  void* (*function)(void*);
  void* argument;
  Thread* thread;
};

void* begin(void* memory) {
  const std::unique_ptr<Start> start(static_cast<Start*>(memory));
  const Start s = *start;
  begin_thread(*s.thread);
  return s.function(s.argument);
}

}  // namespace

int lock_mutex(pthread_mutex_t* mutex) {
  static auto* const lock = reinterpret_cast<decltype(&pthread_mutex_lock)>(::dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  return lock(mutex);
}

}  // namespace strata::native

using namespace strata::native;

// Threads that the library itself creates, in one of MPI's functions, are its own affair.
STRATA_EXPORTED int pthread_create(pthread_t* id, const pthread_attr_t* attributes, void* (*function)(void*),
                                   void* argument) {
  static auto* const create = reinterpret_cast<decltype(&pthread_create)>(::dlsym(RTLD_NEXT, "pthread_create"));
  const bool counts = is_virtual() && slot().has_threads != 0 && current_function() < 0;
  if (!counts) return create(id, attributes, function, argument);
  Thread& thread = announce_thread();
  auto start = std::make_unique<Start>(Start{function, argument, &thread});
  const int error = create(id, attributes, begin, start.get());
  if (error == 0) {
    static_cast<void>(start.release());
  } else {
    forget_thread(thread);
  }
  return error;
}

// Turns decide which thread gets a lock, too. A library whose threads share a lock releases it now and then while it
// waits, and takes it again at once; on a real computer another thread sometimes is faster. Here it always is.
STRATA_EXPORTED int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (is_of_launcher(__builtin_return_address(0))) {
    const WaitsForLauncher waits(true);
    return lock_mutex(mutex);
  }
  return lock_in_turn(mutex);
}

STRATA_EXPORTED int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  static auto* const wait = reinterpret_cast<decltype(&pthread_cond_wait)>(::dlsym(RTLD_NEXT, "pthread_cond_wait"));
  const WaitsForLauncher waits(is_of_launcher(__builtin_return_address(0)));
  return wait(condition, mutex);
}

STRATA_EXPORTED int sched_yield() {
  if (attached() && !is_virtual() && current_function() >= 0) wait_for_node();
  yield_turn();
  return static_cast<int>(::syscall(SYS_sched_yield));
}
