// SPDX-License-Identifier: LGPL-2.1-only
#include "models/schedule_time.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/matching.h"

namespace strata::models {
namespace {

using Kind = Operation::Kind;

constexpr double kNotYet = -1;  // times are 0 or later

struct Rank {
  int next = 0;  // index of its next operation
  double clock_s = 0;
  double link_free_s = 0;  // its core's up link takes the next eager message
};

// A message until it starts.
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
  }

  Timing run() {
    for (int r = static_cast<int>(schedule_.size()) - 1; r >= 0; --r) ready_.push_back(r);
    while (!ready_.empty()) {
      const int r = ready_.back();
      ready_.pop_back();
      advance(r);
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
  // Performs the operations of `r` until one must wait for a message to start. Both ends of a message that starts are
  // made ready; one that cannot go on yet is looked at once and nothing changes.
  void advance(int r) {
    Rank& rank = ranks_[r];
    while (rank.next < static_cast<int>(schedule_[r].size())) {
      if (!perform(r, schedule_[r][rank.next], matching_.message_of(r, rank.next))) return;
      timing_.done_s[r].push_back(rank.clock_s);
      ++rank.next;
    }
  }

  // False where the operation must wait for its message to start.
  bool perform(int r, const Operation& o, int m) {
    double& clock_s = ranks_[r].clock_s;
    switch (o.kind) {
      case Kind::kCombine:
        clock_s += o.amount / costs_.combine_bandwidth();
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
        if (model_ == CostModel::kLogGP) {
          clock_s = (is_free_early(m) ? timing_.transfers[m].start_s : clock_s) + cost_of(m).overhead_s;
        }
        return true;
      case Kind::kSend:
        if (ends_[m].called_s == kNotYet) call(m, clock_s);
        if (!is_free_early(m)) return wait_for(m, clock_s);
        clock_s = timing_.transfers[m].start_s + cost_of(m).overhead_s;
        return true;
      case Kind::kWaitSend:
        return is_free_early(m) || wait_for(m, clock_s);
      case Kind::kWaitReceive:
        return wait_for(m, clock_s);
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

  // Whether the sender goes on before the message has arrived.
  bool is_free_early(int m) const {
    return model_ == CostModel::kLogGP && is_eager(costs_.machine(), matching_.message(m).bytes);
  }

  bool takes_link(int m) const { return core_of(matching_.message(m).from) != core_of(matching_.message(m).to); }
  int core_of(int rank) const { return bindings_[rank].core; }
  double wire_bytes(int m) const { return matching_.message(m).bytes + kEnvelopeBytes; }
  MessageCost cost_of(int m) const {
    const Matching::Message& message = matching_.message(m);
    return costs_.between(core_of(message.from), core_of(message.to), message.bytes);
  }

  // Starts the message if all that it waits for is there; by Hockney's model then the receiver's next, if it is ready.
  void try_to_start(int m) {
    for (; m >= 0; m = model_ == CostModel::kHockney ? matching_.message(m).after : -1) {
      if (timing_.transfers[m].arrival_s != kNotYet) return;
      const double start_s = model_ == CostModel::kHockney ? hockney_start(m) : loggp_start(m);
      if (start_s == kNotYet) return;
      start(m, start_s);
    }
  }

  double hockney_start(int m) const {
    const int before = matching_.message(m).before;
    const double taken_s = before < 0 ? 0 : timing_.transfers[before].arrival_s;  // the receiver's message before
    if (ends_[m].called_s == kNotYet || ends_[m].posted_s == kNotYet || taken_s == kNotYet) return kNotYet;
    return std::max({ends_[m].called_s, ends_[m].posted_s, taken_s});
  }

  double loggp_start(int m) {
    const double called_s = ends_[m].called_s;
    if (called_s == kNotYet) return kNotYet;
    if (!is_free_early(m)) {
      if (ends_[m].posted_s == kNotYet) return kNotYet;
      return std::max(called_s, ends_[m].posted_s - cost_of(m).overhead_s);
    }
    const int from = matching_.message(m).from;
    if (!takes_link(m) || ranks_[from].link_free_s <= called_s) return called_s;
    if (timing_.waited_for_link < 0 || from < timing_.waited_for_link) timing_.waited_for_link = from;
    return ranks_[from].link_free_s;
  }

  void start(int m, double start_s) {
    const auto [from, to, bytes, send_index, receive_index, before, after] = matching_.message(m);
    const MessageCost c = cost_of(m);
    Transfer& t = timing_.transfers[m];
    t = {.from = from, .to = to, .start_s = start_s, .flow_s = start_s + c.latency_s, .arrival_s = 0, .bytes = bytes};
    t.arrival_s = t.flow_s + wire_bytes(m) / c.bandwidth_bytes_per_s;
    if (takes_link(m)) {
      ranks_[from].link_free_s = start_s + wire_bytes(m) / costs_.core_link_bandwidth(core_of(from));
    }
    ready_.push_back(from);
    ready_.push_back(to);
  }

  const MessageCosts& costs_;
  const std::vector<Binding>& bindings_;
  const Schedule& schedule_;
  const Matching matching_;
  const CostModel model_;
  std::vector<Rank> ranks_;
  std::vector<Ends> ends_;  // by message
  std::vector<int> ready_;  // ranks that may be able to go on
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
