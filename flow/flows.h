// SPDX-License-Identifier: LGPL-2.1-only
// Messages and works as flows through links, and the times when they complete. The core of every simulated time.
//
// A message waits for its latency, then flows at its max-min fair share of the links on its path (fair_shares.h), at
// most at its path's bandwidth, until all its bytes have passed. SimGrid's own model (CM02) computes the same if its
// factors are 1 and every flow has the same weight; this one follows a change only as far as it has an effect.
//
// A message may first have to pass a gate, which admits one message at a time: for example, a network card that takes 3
// us for each message, even a short one. The message's latency begins when the gate admits it.
//
// Works are flows without a message. For example, a copy uses its core's time and its memory's bandwidth. They begin at
// once.
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
#include <cstddef>
#include <span>
#include <vector>

#include "flow/calendar.h"
#include "flow/fair_shares.h"
#include "flow/path.h"

namespace strata::flow {

/// A link's traffic: the messages that have crossed it completely, and their bytes, including envelopes. A message that
/// uses the link with a weight counts with that part of its bytes.
struct Carried {
  double bytes = 0;  // with weights of 1 a whole number, exact up to 2^53
  long messages = 0;
};

/// Observes the flows if it is set.
class Watcher {
 public:
  /// The time has advanced to `now`, and no event of this time has happened yet: Flows::carried_at() can be called for
  /// any time since the last call.
  virtual void time_passed(double now) = 0;
  /// A message of `bytes`, including the envelope, that was sent at `sent_s` has arrived.
  virtual void arrived(int source_core, int destination_core, double bytes, double sent_s, double now) = 0;

 protected:
  ~Watcher() = default;
};

/// Not thread-safe. The same calls give the same numbers, to the bit. Memory is only allocated when the number of
/// simultaneous messages and works reaches a new maximum.
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

  /// Starts a message and returns its number, which is unique until it has ended or is cancelled. `limit`: an upper
  /// bound of its rate in B/s, in addition to the path's bandwidth; negative: no limit. The two cores are for the
  /// watcher.
  int start_message(int source_core, int destination_core, double bytes, const Path& path, double now,
                    double limit = -1);
  /// Starts a work and returns its number, from the same range. `amount` is in the unit of the path's bandwidth times
  /// s. The path's latency and gate are ignored; watchers do not see works, and links do not count them as messages.
  int start_work(double amount, const Path& path, double now);

  /// s from `now` to the next event; negative if nothing is under way. Call this before time advances.
  double until_next(double now);
  /// Handles the events of `now`. Calls ended(id) for each message and work that completes, in order; it may start
  /// others. Their numbers are free afterwards.
  template <class Ended>
  void advance(double now, Ended&& ended) {
    if (watcher_ != nullptr) watcher_->time_passed(now);
    while (!events_.empty() && events_.first_date() - now < precision_s_) {
      const int id = events_.pop();
      if (is_through(id, now)) ended(id);
    }
    free_ended();
  }

  /// The number that the next message or work will get.
  int next_number() const { return free_.empty() ? static_cast<int>(flows_.size()) : free_.back(); }
  /// From now on, the message or work uses `uses` instead of its uses from the given one on. Its remaining amount is
  /// multiplied by `scale`, which must be 1 for messages.
  void change_uses(int id, std::size_t from, std::span<const FairShares::Use> uses, double scale, double now);
  /// Ends a message or work and frees its number. Bytes that have passed are counted.
  void cancel(int id, double now);
  /// Stops a message or work; others can use its links.
  void suspend(int id, double now);
  /// Continues it. Does nothing if it is not suspended.
  void resume(int id, double now);
  /// The bytes, or the part of a work's amount, that remain.
  double remains(int id, double now);

  /// The number of messages sent so far.
  const long& sent() const { return sent_; }
  /// The number of messages that have been sent and have not arrived.
  long under_way() const { return under_way_; }
  /// The number of works under way.
  long working() const { return working_; }

  /// Starts to count, by link, the messages and works that use it and have not completed, each by the weight of its
  /// use. Call it before the first of them, and after the last link. Returns the counts, which are kept up to date.
  const std::vector<double>& count_queued();
  /// By link: the messages that have arrived.
  const std::vector<Carried>& carried() const { return carried_; }
  /// By link: the bytes that have passed until `time` (s), which must not be before the last event. This includes the
  /// parts of messages under way that have passed, on all links of their paths at once, since flows have no extent.
  /// O(links and messages under way).
  void carried_at(double time, std::vector<double>& bytes) const;
  /// The same for the current time; valid until the next call.
  const std::vector<double>& carried_now(double now);

  /// Sets the watcher; only one is possible. It must outlive this.
  void watch(Watcher& watcher) { watcher_ = &watcher; }

 private:
  struct Flow {
    std::vector<FairShares::Use> uses;
    double amount = 0, left = 0;  // B, or in the unit of a work's amount
    double counted = 0;           // of the amount: what its links have already been credited with
    double bandwidth = 0;
    double sent_s = 0;
    double latency_left_s = 0;
    double updated_s = 0;  // time at which latency, amount and left are valid
    double rate = 0;       // B/s since then
    int source = 0, destination = 0;
    int share = -1;  // in shares_; -1 while it does not flow
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
  std::vector<int> ended_works_, ended_messages_;  // in flows_: freed soon
  std::vector<int> by_share_;                      // number of the flow
  long sent_ = 0, arrived_ = 0, under_way_ = 0, working_ = 0;
  std::vector<Carried> carried_;
  std::vector<double> queued_;     // by link; empty before count_queued()
  std::vector<double> open_s_;     // by gate: the time from which it admits the next message
  std::vector<double> now_bytes_;  // carried_now()'s result, valid at now_s_ after now_arrived_ messages
  double now_s_ = -1;
  long now_arrived_ = 0;
  Watcher* watcher_ = nullptr;
};

}  // namespace strata::flow
