// SPDX-License-Identifier: LGPL-2.1-only
// Messages and works as flows through links: when each is through. The core of every simulated time.
//
// A message waits for its latency, then flows at its max-min fair share of the links on its way (fair_shares.h), at
// most at its path's bandwidth, until its bytes are through. That is what SimGrid's own model (CM02) computes once its
// factors are set to 1 and every flow weighs the same; this one follows a change only as far as it reaches.
//
// A message may have to pass a gate first, which lets one through at a time: a network card that takes 3 us for each
// message, however short it is. Its latency begins when the gate lets it through.
//
// Works are flows without a message: a copy takes its core's time and its memory's bandwidth. They begin at once.
//
// The clock is the caller's, and never goes back:
//
//   int id = flows.start_message(0, 17, bytes, path, now);
//   for (double s; (s = flows.until_next(now)) >= 0;) {
//     now += s;
//     flows.advance(now, [&](int ended) { ... });
//   }
#pragma once

#include <algorithm>
#include <vector>

#include "flow/calendar.h"
#include "flow/fair_shares.h"
#include "flow/path.h"

namespace strata::flow {

/// A link's traffic: the messages that have crossed it completely, and their bytes, envelopes included; of a message
/// that uses it with a weight so much of its bytes.
struct Carried {
  double bytes = 0;  // with weights of 1 a whole number, exact up to 2^53
  long messages = 0;
};

/// Observes the flows, if one is set.
class Watcher {
 public:
  /// Time has come to `now`, and nothing that happens now has happened yet: Flows::carried_at() answers for any time
  /// since the last call.
  virtual void time_passed(double now) = 0;
  /// A message of `bytes`, envelope included, that was sent at `sent_s` has arrived.
  virtual void arrived(int source_core, int destination_core, double bytes, double sent_s, double now) = 0;

 protected:
  ~Watcher() = default;
};

/// Not thread-safe. The same calls give the same numbers, to the bit. Nothing is allocated once there have been as many
/// messages and works at a time.
class Flows {
 public:
  /// Events that are less than `precision_s` apart happen together.
  explicit Flows(double precision_s) : precision_s_(precision_s) {}

  /// `capacity` in B/s, times the weight of its uses. Returns the index for Path::uses.
  int add_link(double capacity) {
    carried_.emplace_back();
    return shares_.add_link(capacity);
  }
  double capacity(int link) const { return shares_.capacity(link); }
  /// Returns the index for Path::gate.
  int add_gate() {
    open_s_.push_back(0);
    return static_cast<int>(open_s_.size()) - 1;
  }

  /// Returns the number of the message, which is its own until it has ended or is cancelled. `limit`: B/s that it flows
  /// at most, beside the path's bandwidth; a negative one does not limit it. The two cores are for the watcher.
  int start_message(int source_core, int destination_core, double bytes, const Path& path, double now,
                    double limit = -1);
  /// Returns its number, from the same numbers. `amount`: of what the path's bandwidth counts. Its latency and gate are
  /// not asked for; watchers do not see it, and no link counts a message.
  int start_work(double amount, const Path& path, double now);

  /// s from `now` to the next event; negative if nothing is under way. To be called before time goes on.
  double until_next(double now);
  /// Handles the events of `now`. Calls ended(id) for each message and work that is through, in the order in which they
  /// are; it may start others. Their numbers are free again afterwards.
  template <class Ended>
  void advance(double now, Ended&& ended) {
    if (watcher_ != nullptr) watcher_->time_passed(now);
    while (!events_.empty() && events_.first_date() - now < precision_s_) {
      const int id = events_.pop();
      if (is_through(id, now)) ended(id);
    }
    free_ended();
  }

  /// It is over, and its number free. The bytes that have passed count.
  void cancel(int id, double now);
  /// It stands still, and leaves its links to others.
  void suspend(int id, double now);
  /// It goes on. Nothing happens if it is not suspended.
  void resume(int id, double now);
  /// The bytes or the part of a work's amount that have still to flow.
  double remains(int id, double now);

  /// How many messages have been sent so far.
  const long& sent() const { return sent_; }
  /// How many messages have been sent and have not arrived.
  long under_way() const { return under_way_; }
  /// How much work is going on.
  long working() const { return working_; }

  /// From now on counts, by link, how many messages and works that use it have been started and have not arrived, each
  /// by the weight of its use. Before the first of them, and after the last link. Returns the counts, which it keeps up
  /// to date.
  const std::vector<double>& count_queued();
  /// By link: the messages that have arrived.
  const std::vector<Carried>& carried() const { return carried_; }
  /// By link: bytes that have gone over it until `time` (s), which is not before the last event: also the part of
  /// messages under way that has passed, on all links of its way at once, as flows go. O(links and messages under way).
  void carried_at(double time, std::vector<double>& bytes) const;
  /// The same of now; valid until the next call.
  const std::vector<double>& carried_now(double now);

  /// From now on, one at most. It must outlive this.
  void watch(Watcher& watcher) { watcher_ = &watcher; }

 private:
  struct Flow {
    std::vector<FairShares::Use> uses;
    double amount = 0, left = 0;  // B, or of a work's amount
    double bandwidth = 0;
    double sent_s = 0;
    double latency_left_s = 0;
    double updated_s = 0;  // until when latency and amount left are right
    double rate = 0;       // B/s since then
    int source = 0, destination = 0;
    int share = -1;  // of shares_; -1 while it does not flow
    bool is_work = false, is_suspended = false, is_under_way = false;
  };

  int new_flow(double amount, const Path& path, double now);
  void begin(int id);
  void stop(Flow& flow, int id, double now);
  static void settle(Flow& flow, double now);
  bool is_through(int id, double now);
  void arrive(Flow& flow, int id, double now);
  void leave_queues(Flow& flow);
  void free_ended();

  const double precision_s_;
  FairShares shares_;
  Calendar events_;  // by number of a flow
  std::vector<Flow> flows_;
  std::vector<int> free_;                          // of flows_
  std::vector<int> ended_works_, ended_messages_;  // of flows_: free soon
  std::vector<int> by_share_;                      // number of the flow
  long sent_ = 0, arrived_ = 0, under_way_ = 0, working_ = 0;
  std::vector<Carried> carried_;
  std::vector<double> queued_;     // by link; empty before count_queued()
  std::vector<double> open_s_;     // by gate: from when on it lets the next message through
  std::vector<double> now_bytes_;  // carried_now()'s, right at now_s_ after now_arrived_ messages
  double now_s_ = -1;
  long now_arrived_ = 0;
  Watcher* watcher_ = nullptr;
};

}  // namespace strata::flow
