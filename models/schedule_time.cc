// SPDX-License-Identifier: LGPL-2.1-only
#include "models/schedule_time.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/departures.h"
#include "models/matching.h"
#include "platforms/payload.h"

namespace strata::models {
namespace {

using Kind = Operation::Kind;

constexpr double kNotYet = -1;  // times are 0 or later

struct Rank {
  int next = 0;  // index of its next operation
  double clock_s = 0;
};

// The state of a message before it starts.
struct Ends {
  double called_s = kNotYet;  // the sender
  double posted_s = kNotYet;  // the receiver
};

class Evaluation {
 public:
  Evaluation(const MessageCosts& costs, const std::vector<Binding>& bindings, const Schedule& schedule, CostModel model)
      : costs_(costs),
        bindings_(bindings),
        schedule_(schedule),
        matching_(schedule),
        model_(model),
        ranks_(schedule.size()),
        ends_(matching_.num_messages()) {
    timing_.transfers.assign(matching_.num_messages(), Transfer{-1, -1, kNotYet, kNotYet, kNotYet});
    timing_.done_s.resize(schedule.size());
    for (size_t r = 0; r < schedule.size(); ++r) timing_.done_s[r].reserve(schedule[r].size());
    if (model != CostModel::kLogGP) return;
    for (int m = 0; m < matching_.num_messages(); ++m) {
      const Matching::Message& message = matching_.message(m);
      ways_.push_back({core_of(message.from), core_of(message.to), message.bytes});
    }
    departures_.emplace(costs, ways_);
  }

  Timing run() {
    for (int r = static_cast<int>(schedule_.size()) - 1; r >= 0; --r) ready_.push_back(r);
    advance_ready();
    if (departures_) {
      for (auto arrived = departures_->arrive(); !arrived.empty(); arrived = departures_->arrive()) {
        for (const auto& [m, time_s] : arrived) arrive(m, time_s);
        advance_ready();
      }
      timing_.contention = departures_->contention();
    }
    double sum_s = 0;
    for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) {
      if (ranks_[r].next < static_cast<int>(schedule_[r].size())) {
        throw std::logic_error("schedule: rank " + std::to_string(r) + " waits for rank " +
                               std::to_string(schedule_[r][ranks_[r].next].peer) + " for ever");
      }
      timing_.completion = std::max(timing_.completion, Seconds(ranks_[r].clock_s));
      sum_s += ranks_[r].clock_s;
    }
    if (!ranks_.empty()) timing_.mean_completion = Seconds(sum_s / static_cast<double>(ranks_.size()));
    return std::move(timing_);
  }

 private:
  void advance_ready() {
    while (!ready_.empty()) {
      const int r = ready_.back();
      ready_.pop_back();
      advance(r);
    }
  }

  // Performs operations of `r` until one must wait for the arrival of a message. When a message arrives (in Hockney's
  // model, also when it starts), both its ends become ready. A rank that still cannot continue is checked once, without
  // effect.
  void advance(int r) {
    Rank& rank = ranks_[r];
    while (rank.next < static_cast<int>(schedule_[r].size())) {
      if (!perform(r, schedule_[r][rank.next], matching_.message_of(r, rank.next))) return;
      timing_.done_s[r].push_back(rank.clock_s);
      ++rank.next;
    }
  }

  // Returns false if the operation must wait for its message.
  bool perform(int r, const Operation& o, int m) {
    double& clock_s = ranks_[r].clock_s;
    switch (o.kind) {
      case Kind::kCombine:
        timing_.combinations.push_back({r, clock_s, clock_s + costs_.combine_s(core_of(r), o.amount), o.amount});
        clock_s = timing_.combinations.back().done_s;
        return true;
      case Kind::kCompute:
        clock_s += o.amount / costs_.machine().core_speed.si;
        return true;
      case Kind::kPostReceive:
        ends_[m].posted_s = clock_s;
        try_to_start(m);
        return true;
      case Kind::kStartSend:
        call(m, clock_s);
        if (model_ == CostModel::kLogGP) clock_s += cost_of(m).overhead_s;
        return true;
      case Kind::kSend:
        if (ends_[m].called_s == kNotYet) call(m, clock_s);
        if (!is_free_early(m)) return wait_for(m, clock_s);
        clock_s += cost_of(m).overhead_s;
        return true;
      case Kind::kWaitSend:
        return is_free_early(m) || wait_for(m, clock_s);
      case Kind::kWaitReceive:
        if (!wait_for(m, clock_s)) return false;
        if (model_ == CostModel::kLogGP) clock_s += cost_of(m).receive_overhead_s;
        return true;
    }
    return true;
  }

  void call(int m, double clock_s) {
    ends_[m].called_s = clock_s;
    try_to_start(m);
  }

  bool wait_for(int m, double& clock_s) const {
    const double arrival_s = timing_.transfers[m].arrival_s;
    if (arrival_s == kNotYet) return false;
    clock_s = std::max(clock_s, arrival_s);
    return true;
  }

  // Whether the sender continues before the message has arrived.
  bool is_free_early(int m) const {
    return model_ == CostModel::kLogGP && is_eager(costs_.machine(), matching_.message(m).bytes);
  }

  int core_of(int rank) const { return bindings_[rank].core; }
  double wire_bytes(int m) const { return matching_.message(m).bytes + kEnvelopeBytes; }
  MessageCost cost_of(int m) const {
    const Matching::Message& message = matching_.message(m);
    return costs_.between(core_of(message.from), core_of(message.to), message.bytes);
  }

  // Starts the message if everything that it waits for has happened. In Hockney's model, this may also start the next
  // messages of its receiver and its sender.
  void try_to_start(int m) {
    if (model_ == CostModel::kLogGP) return try_to_start_loggp(m);
    candidates_.assign(1, m);
    while (!candidates_.empty()) {
      m = candidates_.back();
      candidates_.pop_back();
      if (m < 0 || timing_.transfers[m].arrival_s != kNotYet) continue;
      const double start_s = hockney_start(m);
      if (start_s == kNotYet) continue;
      Transfer& t = start(m, start_s);
      arrive(m, t.flow_s + wire_bytes(m) / cost_of(m).bandwidth_bytes_per_s);
      candidates_.push_back(matching_.sent_after(m));
      candidates_.push_back(matching_.message(m).after);
    }
  }

  // A missing message counts as arrived, because there is nothing to wait for.
  double arrival_of(int m) const { return m < 0 ? 0 : timing_.transfers[m].arrival_s; }

  double hockney_start(int m) const {
    const double taken_s = arrival_of(matching_.message(m).before), sent_s = arrival_of(matching_.sent_before(m));
    const Ends& ends = ends_[m];
    if (ends.called_s == kNotYet || ends.posted_s == kNotYet || taken_s == kNotYet || sent_s == kNotYet) return kNotYet;
    return std::max({ends.called_s, ends.posted_s, taken_s, sent_s});
  }

  void try_to_start_loggp(int m) {
    const auto [called_s, posted_s] = ends_[m];
    const bool early = is_free_early(m);
    if (timing_.transfers[m].start_s != kNotYet || called_s == kNotYet || (!early && posted_s == kNotYet)) return;
    Transfer& t = start(m, early ? called_s : std::max(called_s, posted_s - cost_of(m).overhead_s));
    departures_->add(m, t.flow_s, wire_bytes(m), cost_of(m).bandwidth_bytes_per_s);
  }

  Transfer& start(int m, double start_s) {
    const MessageCost cost = cost_of(m);
    // In Hockney's model both ends are busy for the whole message anyway.
    const double until_flow_s = model_ == CostModel::kLogGP ? cost.latency_s - cost.receive_overhead_s : cost.latency_s;
    Transfer& t = timing_.transfers[m];
    t = {.from = matching_.message(m).from,
         .to = matching_.message(m).to,
         .start_s = start_s,
         .flow_s = start_s + until_flow_s,
         .arrival_s = kNotYet,
         .bytes = matching_.message(m).bytes};
    return t;
  }

  void arrive(int m, double time_s) {
    Transfer& t = timing_.transfers[m];
    t.arrival_s = time_s;
    ready_.push_back(t.from);
    ready_.push_back(t.to);
  }

  const MessageCosts& costs_;
  const std::vector<Binding>& bindings_;
  const Schedule& schedule_;
  const Matching matching_;
  const CostModel model_;
  std::vector<Rank> ranks_;
  std::vector<Ends> ends_;                // by message
  std::vector<int> ready_;                // ranks that may be able to continue
  std::vector<int> candidates_;           // scratch space of try_to_start()
  std::vector<Departures::Way> ways_;     // by message
  std::optional<Departures> departures_;  // only for LogGP
  Timing timing_;
};

}  // namespace

bool is_eager(const Machine& machine, double payload_bytes) { return payload_bytes < machine.eager_limit.si; }

Timing time_schedule(const MessageCosts& costs, const std::vector<Binding>& ranks, const Schedule& schedule,
                     CostModel model) {
  if (ranks.size() != schedule.size()) throw std::logic_error("schedule: not as many ranks as bindings");
  return Evaluation(costs, ranks, schedule, model).run();
}

}  // namespace strata::models
