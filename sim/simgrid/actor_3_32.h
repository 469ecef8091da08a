// SPDX-License-Identifier: LGPL-2.1-only
// Layout of simgrid::kernel::actor::ActorImpl in SimGrid 3.32, needed to find an actor's activities, as
// src/kernel/actor/ActorImpl.hpp declares it (LGPL-2.1). Debian does not install that header.
//
// The class is only used for objects that SimGrid has made, so its declaration ends with the last required member.
#pragma once

#include <simgrid/forward.h>

#include <array>
#include <boost/intrusive_ptr.hpp>
#include <exception>
#include <list>
#include <memory>
#include <vector>
#include <xbt/PropertyHolder.hpp>
#include <xbt/string.hpp>

namespace simgrid::kernel::activity {

void intrusive_ptr_add_ref(ActivityImpl* activity);
void intrusive_ptr_release(ActivityImpl* activity);

}  // namespace simgrid::kernel::activity

namespace simgrid::kernel::actor {

class ActorIDTrait {
  xbt::string name_;
  aid_t pid_, ppid_;
};

class ActorRestartingTrait {
  bool auto_restart_;
  int restart_count_;
};

class ActorImpl : public xbt::PropertyHolder, public ActorIDTrait, public ActorRestartingTrait {
 public:
  /// The running actor; in a network model's functions that is the simulation's own, maestro.
  static ActorImpl* self();

 private:
  void* host_;
  bool daemon_;
  unsigned stacksize_;
  bool iwannadie_, to_be_freed_;
  std::vector<void*> mailboxes_;
  std::array<void*, 6> hooks_;  // of three intrusive lists
  std::unique_ptr<char> context_;
  std::exception_ptr exception_;
  bool suspended_;
  activity::ActivityImplPtr waiting_synchro_;

 public:
  std::list<activity::ActivityImplPtr> activities_;
};

}  // namespace simgrid::kernel::actor
