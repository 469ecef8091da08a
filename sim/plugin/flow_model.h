// SPDX-License-Identifier: LGPL-2.1-only
// Messages as flows through the machine's links: the network model that SimGrid asks when what arrives.
//
// A message waits for its latency, then flows at its max-min fair share of the links on its way (fair_shares.h), at
// most at its level's bandwidth, until its bytes are through. That is what SimGrid's own model (CM02) computes once its
// factors are set to 1 and every flow weighs the same; this one follows a change only as far as it reaches.
//
// A message may have to pass a gate first, which lets one through at a time: a network card that takes 3 us for each
// message, however short it is. Its latency begins when the gate lets it through.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/plugin/calendar.h"
#include "sim/plugin/fair_shares.h"
#include "sim/simgrid/detached_sends.h"
#include "sim/simgrid/message_model.h"

namespace strata::sim {

/// The route of a message between two hosts.
struct Path {
  double latency_s = 0;
  double bandwidth = 0;               // B/s, of one message, whoever else is there
  std::vector<FairShares::Use> uses;  // of the model's own links
  int gate = -1;                      // of the model's own; -1: none
  double gate_s = 0;                  // what the message keeps the gate closed for those after it
};

/// A link's traffic: the messages that have crossed it completely, and their bytes, envelopes included; of a message
/// that uses it with a weight so much of its bytes.
struct Carried {
  double bytes = 0;  // with weights of 1 a whole number, exact up to 2^53
  long messages = 0;
};

/// Observes the flows, if one is set.
class FlowWatcher {
 public:
  /// Time has come to `now`, and nothing that happens now has happened yet: FlowModel::carried_at() answers for any
  /// time since the last call.
  virtual void time_passed(double now) = 0;
  /// A message of `bytes`, envelope included, that was sent at `sent_s` has arrived.
  virtual void arrived(const simgrid::s4u::Host& src, const simgrid::s4u::Host& dst, double bytes, double sent_s,
                       double now) = 0;

 protected:
  ~FlowWatcher() = default;
};

class FlowModel : public MessageModel {
 public:
  /// Finds the way of a message of `bytes`, envelope included.
  using PathFinder =
      std::function<void(const simgrid::s4u::Host& src, const simgrid::s4u::Host& dst, double bytes, Path& into)>;

  /// `precision` (s): events that are less apart happen together, as everywhere in SimGrid (surf/precision). SimGrid's
  /// own link objects, which messages do not use, go on being made by `links_of`.
  FlowModel(PathFinder paths, double precision, std::shared_ptr<NetworkModel> links_of);
  ~FlowModel() override;

  /// `capacity` in B/s, times the weight of its uses. Returns the index for Path::uses.
  int add_link(double capacity) {
    carried_.emplace_back();
    queued_.push_back(0);
    return shares_.add_link(capacity);
  }
  /// Returns the index for Path::gate.
  int add_gate() {
    open_s_.push_back(0);
    return static_cast<int>(open_s_.size()) - 1;
  }

  /// How many messages have been sent so far.
  const long& sent() const { return sent_; }

  /// How many messages have been sent and have not arrived.
  long under_way() const { return under_way_; }
  /// How much work (start_work) is going on.
  long working() const { return working_; }
  /// How many messages and works that use a link have been started and have not arrived, each counted by the weight of
  /// its use.
  double queued(int link) const { return queued_[link]; }
  /// By link: the messages that have arrived.
  const std::vector<Carried>& carried() const { return carried_; }
  /// By link: bytes that have gone over it until `time` (s), which is not before the last event: also the part of
  /// messages under way that has passed, on all links of its way at once, as flows go. O(links and messages under way).
  void carried_at(double time, std::vector<double>& bytes) const;
  /// The same of now; valid until the next call.
  const std::vector<double>& carried_now();

  /// From now on, one at most. It must outlive the model.
  void watch(FlowWatcher& watcher) { watcher_ = &watcher; }

  /// Work without a message: a flow of `amount` that begins now, at its share of what `path` uses and at most at its
  /// bandwidth. It calls `done` when it is through; watchers do not see it, and no link counts a message.
  void start_work(double amount, const Path& path, std::function<void()> done);

  simgrid::kernel::resource::Action* start_message(simgrid::s4u::Host& src, simgrid::s4u::Host& dst, double size,
                                                   double rate) override;
  double next_occurring_event(double now) override;
  void update_actions_state(double now, double delta) override;

 private:
  class Message;
  int new_id();
  void start(Message& message);
  void stop(Message& message);
  void settle(Message& message, double now);
  void arrive(Message& message, double now);
  void finish_work(Message& message);
  void leave_queues(Message& message);

  PathFinder paths_;
  const double precision_;
  FairShares shares_;
  Path path_;  // scratch
  std::vector<Message*> messages_;
  std::vector<int> free_;     // of messages_
  std::vector<int> by_flow_;  // message of a flow of shares_
  long sent_ = 0, arrived_ = 0, under_way_ = 0, working_ = 0;
  std::vector<Carried> carried_;
  std::vector<double> queued_;     // by link
  std::vector<double> open_s_;     // by gate: from when on it lets the next message through
  std::vector<double> now_bytes_;  // carried_now()'s, right at now_s_ after now_arrived_ messages
  double now_s_ = -1;
  long now_arrived_ = 0;
  FlowWatcher* watcher_ = nullptr;
  Calendar events_;  // by message
  DetachedSends detached_;
};

}  // namespace strata::sim
