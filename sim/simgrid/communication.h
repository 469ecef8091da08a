// SPDX-License-Identifier: LGPL-2.1-only
// Layout of simgrid::kernel::actor::CommIsendSimcall and CommIrecvSimcall in SimGrid 3.32 and 4.0, and those functions
// of simgrid::kernel::activity::CommImpl that a message passes on its way, as src/kernel/actor/CommObserver.hpp and
// src/kernel/activity/CommImpl.hpp declare them (LGPL-2.1). libsimgrid calls them through its table of foreign
// functions and the class's table of virtual functions, so a preloaded library can wrap them. Debian does not install
// these headers.
//
// Both classes are declared without their bases: a library that defines a function of theirs must not define their
// tables too. A CommImpl is an ActivityImpl (activity.h) at the same address.
#pragma once

#include <simgrid/forward.h>

#include <cstddef>

#include "sim/simgrid/activity.h"
#include "sim/simgrid/version.h"

namespace simgrid::kernel::actor {

/// A send that is about to be posted.
class CommIsendSimcall {
  void* functions_;
  ActorImpl* issuer_;
  activity::MailboxImpl* mailbox_;
  double message_bytes_;
  double rate_;
  unsigned char* buffer_;
  std::size_t buffer_bytes_;
  void* request_;
  bool detached_;
  activity::CommImpl* message_;

 public:
  /// SMPI's Request, if SMPI sends.
  const void* request() const { return request_; }
  /// Whether the sender continues without waiting for it.
  bool detached() const { return detached_; }
  /// Once it is posted.
  const activity::ActivityImpl* message() const { return reinterpret_cast<const activity::ActivityImpl*>(message_); }
};

/// A receive that is about to be posted.
class CommIrecvSimcall {
  void* functions_;
  ActorImpl* issuer_;
  activity::MailboxImpl* mailbox_;
  unsigned char* buffer_;
  std::size_t* buffer_bytes_;
  void* request_;

 public:
  /// SMPI's Request, if SMPI receives.
  const void* request() const { return request_; }
};

}  // namespace simgrid::kernel::actor

namespace simgrid::kernel::activity {

class CommImpl {
 public:
  /// These two run in the simulation's own actor, not the sender's. Returns the message; nullptr if the sender is
  /// detached.
  static ActivityImplPtr isend(actor::CommIsendSimcall* posted);
  /// Returns the message, which may have been sent before.
  static ActivityImplPtr irecv(actor::CommIrecvSimcall* posted);
  /// Begins to flow, if both sides are there or the message is eager. Called at each post.
  CommImpl* start();
  /// The message has ended: actors that wait for it continue. Called again for each actor that asks later.
  void finish();
  void cancel();
};

/// Names in libsimgrid, for dlsym.
inline constexpr const char* kPostSend = "_ZN7simgrid6kernel8activity8CommImpl5isendEPNS0_5actor16CommIsendSimcallE";
inline constexpr const char* kPostReceive = "_ZN7simgrid6kernel8activity8CommImpl5irecvEPNS0_5actor16CommIrecvSimcallE";
inline constexpr const char* kStart = "_ZN7simgrid6kernel8activity8CommImpl5startEv";
inline constexpr const char* kFinish = "_ZN7simgrid6kernel8activity8CommImpl6finishEv";
inline constexpr const char* kCancel = "_ZN7simgrid6kernel8activity8CommImpl6cancelEv";

}  // namespace simgrid::kernel::activity
