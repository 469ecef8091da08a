#include "models/schedule_time.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>

namespace strata::models {
namespace {

constexpr double kNotYet = -1;  // times are 0 or later

// Names the message of each operation: the k-th send from a to b is the k-th receive of b from a.
class Matching {
 public:
  explicit Matching(const Schedule& schedule) : message_of_(schedule.size()) {
    struct End {
      int from, to, rank, index;
    };
    std::vector<End> sends, receives;
    for (int r = 0; r < static_cast<int>(schedule.size()); ++r) {
      message_of_[r].resize(schedule[r].size());
      for (int i = 0; i < static_cast<int>(schedule[r].size()); ++i) {
        const Operation& o = schedule[r][i];
        if (o.kind == Operation::Kind::kSend) {
          message_of_[r][i] = static_cast<int>(sends.size());
          sends.push_back({r, o.peer, r, i});
        } else {
          receives.push_back({o.peer, r, r, i});
        }
      }
    }
    num_messages_ = static_cast<int>(sends.size());
    const auto channel = [](const End& a, const End& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); };
    std::stable_sort(sends.begin(), sends.end(), channel);
    std::stable_sort(receives.begin(), receives.end(), channel);
    const auto same = [](const End& a, const End& b) { return a.from == b.from && a.to == b.to; };
    if (!std::equal(sends.begin(), sends.end(), receives.begin(), receives.end(), same)) {
      throw std::logic_error("schedule: sends and receives do not match");
    }
    for (size_t k = 0; k < sends.size(); ++k) {
      message_of_[receives[k].rank][receives[k].index] = message_of_[sends[k].rank][sends[k].index];
    }
  }

  int message_of(int rank, int index) const { return message_of_[rank][index]; }
  int num_messages() const { return num_messages_; }

 private:
  std::vector<std::vector<int>> message_of_;
  int num_messages_ = 0;
};

struct Rank {
  int next = 0;  // index of its next operation
  double clock_s = 0;
  double link_free_s = 0;  // its core's up link takes the next eager message
};

class Evaluation {
 public:
  Evaluation(const MessageCosts& costs, const std::vector<Binding>& bindings, const Schedule& schedule,
             double payload_bytes, CostModel model)
      : costs_(costs),
        bindings_(bindings),
        schedule_(schedule),
        matching_(schedule),
        wire_bytes_(payload_bytes + kEnvelopeBytes),
        model_(model),
        eager_(is_eager(costs.machine(), payload_bytes)),
        ranks_(schedule.size()),
        posted_s_(matching_.num_messages(), kNotYet) {
    timing_.transfers.assign(matching_.num_messages(), Transfer{-1, -1, kNotYet, kNotYet, kNotYet});
  }

  Timing run() {
    for (int r = static_cast<int>(schedule_.size()) - 1; r >= 0; --r) ready_.push_back(r);
    while (!ready_.empty()) {
      const int r = ready_.back();
      ready_.pop_back();
      advance(r);
    }
    for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) {
      if (ranks_[r].next < static_cast<int>(schedule_[r].size())) {
        throw std::logic_error("schedule: rank " + std::to_string(r) + " waits for rank " +
                               std::to_string(schedule_[r][ranks_[r].next].peer) + " for ever");
      }
      timing_.completion = std::max(timing_.completion, Seconds(ranks_[r].clock_s));
    }
    return std::move(timing_);
  }

 private:
  // Performs the operations of `r` until one must wait for a peer. Whoever does what a peer may wait for makes the peer
  // ready; a peer that cannot go on yet is looked at once and nothing changes.
  void advance(int r) {
    while (ranks_[r].next < static_cast<int>(schedule_[r].size())) {
      const Operation& o = schedule_[r][ranks_[r].next];
      const int message = matching_.message_of(r, ranks_[r].next);
      const bool done = o.kind == Operation::Kind::kSend ? send(r, o.peer, message) : receive(r, o.peer, message);
      if (!done) return;
      ++ranks_[r].next;
    }
  }

  bool send(int r, int to, int message) {
    Rank& rank = ranks_[r];
    const MessageCost c = costs_.between(bindings_[r].core, bindings_[to].core);
    const double flow_time_s = wire_bytes_ / c.bandwidth_bytes_per_s;
    const bool to_own_core = bindings_[r].core == bindings_[to].core;  // takes no link
    double start_s = rank.clock_s;
    const bool waits = model_ == CostModel::kHockney || !eager_;  // the sender, until its message has arrived
    if (!waits && !to_own_core && rank.link_free_s > start_s) {
      start_s = rank.link_free_s;
      if (timing_.waited_for_link < 0 || r < timing_.waited_for_link) timing_.waited_for_link = r;
    }
    if (model_ == CostModel::kLogGP && !eager_) {
      if (posted_s_[message] == kNotYet) return false;
      start_s = std::max(start_s, posted_s_[message] - c.overhead_s);
    }
    Transfer& t = timing_.transfers[message];
    t = {.from = r, .to = to, .start_s = start_s, .flow_s = start_s + c.latency_s, .arrival_s = 0};
    t.arrival_s = t.flow_s + flow_time_s;
    rank.clock_s = waits ? t.arrival_s : start_s + c.overhead_s;
    if (!to_own_core) rank.link_free_s = start_s + wire_bytes_ / costs_.core_link_bandwidth(bindings_[r].core);
    ready_.push_back(to);
    return true;
  }

  bool receive(int r, int from, int message) {
    if (posted_s_[message] == kNotYet) {
      posted_s_[message] = ranks_[r].clock_s;
      ready_.push_back(from);
    }
    const double arrival_s = timing_.transfers[message].arrival_s;
    if (arrival_s == kNotYet) return false;
    ranks_[r].clock_s = std::max(ranks_[r].clock_s, arrival_s);
    return true;
  }

  const MessageCosts& costs_;
  const std::vector<Binding>& bindings_;
  const Schedule& schedule_;
  const Matching matching_;
  const double wire_bytes_;
  const CostModel model_;
  const bool eager_;
  std::vector<Rank> ranks_;
  std::vector<double> posted_s_;  // by message: when its receiver called
  std::vector<int> ready_;        // ranks that may be able to go on
  Timing timing_;
};

}  // namespace

bool is_eager(const Machine& machine, double payload_bytes) { return payload_bytes < machine.eager_limit.si; }

Timing time_schedule(const MessageCosts& costs, const std::vector<Binding>& ranks, const Schedule& schedule,
                     double payload_bytes, CostModel model) {
  if (ranks.size() != schedule.size()) throw std::logic_error("schedule: not as many ranks as bindings");
  return Evaluation(costs, ranks, schedule, payload_bytes, model).run();
}

}  // namespace strata::models
