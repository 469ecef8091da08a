// SPDX-License-Identifier: LGPL-2.1-only
// Layout of simgrid::kernel::activity::ActivityImpl in SimGrid 3.32 and 4.0, needed to see when a message began to
// flow and whether it is there, as src/kernel/activity/ActivityImpl.hpp declares it (LGPL-2.1); of 4.0's first base
// class, as src/kernel/actor/Simcall.hpp does. Debian does not install these headers.
//
// The class is only used for objects that SimGrid has made, so its declaration ends with the last required member.
#pragma once

#include <simgrid/forward.h>

#include <atomic>
#include <string>

#include "sim/simgrid/version.h"

namespace simgrid::kernel::activity {

class ActivityImpl {
 public:
  virtual ~ActivityImpl();

 private:
#ifdef STRATA_SIMGRID_4_0
  void* simcall_owner_;  // of ObjectAccessSimcallItem
#endif
  std::atomic_int_fast32_t refcount_;
  std::string name_;
  void* actor_;
  int state_;
  double start_time_;

  static constexpr int kDone = 3, kCanceled = 4;  // of its states

 public:
  /// s: when it began to use resources; a message: to flow, once both sides are there. -1: not yet.
  double start_time() const { return start_time_; }
  /// It has ended successfully: the whole message has arrived.
  bool done() const { return state_ == kDone; }
  bool canceled() const { return state_ == kCanceled; }
};

}  // namespace simgrid::kernel::activity
