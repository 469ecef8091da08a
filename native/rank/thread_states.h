// SPDX-License-Identifier: LGPL-2.1-only
// The kernel's view of another thread of this process: whether it sleeps until some thread wakes it, and how long it
// has computed. For example, for a thread in pthread_join():
//
//   ThreadState state(tid);
//   state.at_rest()      true: it is in futex(2)
//
// A thread in another system call, such as read(2) of a pipe, counts only if it stays there for a while: the kernel may
// wake it.
//
// Thread-safety: none.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace strata::native {

class ThreadState {
 public:
  /// `tid`: as of gettid(); 0: it has not begun.
  void set_thread(pid_t tid) { tid_ = tid; }
  bool is_of(pid_t tid) const { return tid != 0 && tid == tid_; }
  /// It has been here: what was noticed before is out of date.
  void forget() { noticed_ = false, in_call_ = -1; }

  /// Whether it sleeps, or no longer exists.
  bool at_rest();
  /// Whether it has computed since forget(), or since the first call of this function after it, for as long as threads
  /// do that wait for others in a loop.
  bool seems_to_spin();

 private:
  bool sleeps() const;
  double processor_time_s() const;

  pid_t tid_ = 0;
  bool noticed_ = false;   // seems_to_spin() has noticed its time
  bool has_spun_ = false;  // before
  double since_s_ = 0;     // its processor time
  long in_call_ = -1;      // the system call in which at_rest() has seen it
  std::chrono::steady_clock::time_point in_call_since_;
};

}  // namespace strata::native
