// SPDX-License-Identifier: LGPL-2.1-only
// Private classes of SimGrid 4.0 that determine which steps of SMPI its model checker sees, as
// src/kernel/actor/SimcallObserver.hpp, CommObserver.hpp, WaitTestObserver.hpp, src/kernel/activity/ActivityImpl.hpp
// and src/mc/mc_record.hpp declare them (LGPL-2.1), and the names in libsimgrid of the functions that a preloaded
// library corrects (check/messages/explorer/corrections.cc). Debian does not install these headers.
//
// Classes are declared only as far as needed: members up to the last required one, virtual functions all, in order.
#pragma once

#include <mpi.h>
#include <simgrid/forward.h>
#include <sys/types.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <simgrid/s4u/Mailbox.hpp>
#include <string>
#include <vector>

#include "sim/simgrid/version.h"

namespace simgrid::mc {

/// The socket to the checker.
class Channel {
 public:
  /// Adds bytes to the message that is being made.
  void pack(const void* data, std::size_t bytes);
};

/// The steps of a replay.
class RecordTrace {
  std::deque<void*> steps_;

 public:
  explicit RecordTrace(const char* path);
  static void replay(const std::string& path);
};

}  // namespace simgrid::mc

namespace simgrid::kernel::activity {

class MailboxImpl {
 public:
  static MailboxImpl* of(const s4u::Mailbox& mailbox) { return mailbox.get_impl(); }  // which lets this class do so
  void remove(const CommImplPtr& communication);
};

class ActivityImpl {
 public:
  virtual ~ActivityImpl();
  virtual bool test(actor::ActorImpl* issuer);
  virtual void wait_for(actor::ActorImpl* issuer, double timeout);
  virtual ActivityImpl& set_timeout(double);
  virtual void suspend();
  virtual void resume();
  virtual void cancel();
};

/// An ActivityImpl. Declared without its base: this library defines its function, and must not define its table too.
class CommImpl {
 public:
  void cancel();
};

}  // namespace simgrid::kernel::activity

namespace simgrid::kernel::actor {

/// A step that an actor is about to take.
class SimcallObserver {
  ActorImpl* const issuer_;

 protected:
  ~SimcallObserver() = default;

 public:
  explicit SimcallObserver(ActorImpl* issuer) : issuer_(issuer) {}
  ActorImpl* issuer() const { return issuer_; }

  virtual bool is_enabled() { return true; }
  virtual int get_max_consider() const { return 1; }
  virtual void prepare(int choice) {}
  virtual void serialize(mc::Channel& channel) const = 0;
  virtual std::string to_string() const = 0;
  virtual bool is_visible() const { return true; }
};

class IprobeSimcall final : public SimcallObserver {
  activity::MailboxImpl* mailbox_;
  s4u::Mailbox::IprobeKind kind_;
  int tag_;
  std::function<bool(void*, void*, activity::CommImpl*)> matches_;
  void* request_;

 public:
  IprobeSimcall(ActorImpl* issuer, activity::MailboxImpl* mailbox, s4u::Mailbox::IprobeKind kind,
                const std::function<bool(void*, void*, activity::CommImpl*)>& matches, void* request);
  void serialize(mc::Channel& channel) const override;
  std::string to_string() const override;
};

// Without their base, as CommImpl above.

class CommIrecvSimcall {
  void* functions_;
  ActorImpl* issuer_;
  activity::MailboxImpl* mailbox_;
  unsigned char* buffer_;
  std::size_t* buffer_bytes_;
  void* request_;

 public:
  void* request() const { return request_; }
  void serialize(mc::Channel& channel) const;
};

class ActivityTestanySimcall {
  void* functions_;
  ActorImpl* issuer_;
  ssize_t result_;
  const std::vector<activity::ActivityImpl*>* activities_;  // in SimGrid a reference
  mutable std::vector<int> complete_;                       // of these, by their index
  int chosen_;

  void look() const;

 public:
  int get_max_consider() const;
  void prepare(int choice);
};

}  // namespace simgrid::kernel::actor

namespace strata::sim {

// The names in libsimgrid, for dlsym.
inline constexpr const char* kRequestWait = "_ZN7simgrid4smpi7Request4waitEPPS1_P10MPI_Status";
inline constexpr const char* kRequestFinishWait = "_ZN7simgrid4smpi7Request11finish_waitEPPS1_P10MPI_Status";
inline constexpr const char* kMailboxIprobe =
    "_ZN7simgrid3s4u7Mailbox6iprobeENS1_10IprobeKindERKSt8functionIFbPvS4_PNS_6kernel8activity8CommImplEEES4_";
inline constexpr const char* kCommunicationCancel = "_ZN7simgrid6kernel8activity8CommImpl6cancelEv";
inline constexpr const char* kReceiveSerialize =
    "_ZNK7simgrid6kernel5actor16CommIrecvSimcall9serializeERNS_2mc7ChannelE";
inline constexpr const char* kReplayOfSteps = "_ZN7simgrid2mc11RecordTraceC1EPKc";
inline constexpr const char* kReplayOfPath =
    "_ZN7simgrid2mc11RecordTrace6replayERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";

}  // namespace strata::sim
