// SPDX-License-Identifier: LGPL-2.1-only
#include "models/schedule_path.h"

#include <algorithm>

#include "models/matching.h"

namespace strata::models {
namespace {

using Kind = Operation::Kind;

class Walk {
 public:
  Walk(const Machine& machine, const Schedule& schedule, const Timing& timing, CostModel model)
      : machine_(machine), schedule_(schedule), timing_(timing), matching_(schedule), model_(model) {}

  std::vector<PathStep> run() {
    for (int r = 1; r < static_cast<int>(schedule_.size()); ++r) {
      if (done(r, last(r)) > done(rank_, last(rank_))) rank_ = r;
    }
    next_ = last(rank_);
    while (next_ >= 0) explain();
    std::reverse(path_.begin(), path_.end());
    return std::move(path_);
  }

 private:
  int last(int rank) const { return static_cast<int>(schedule_[rank].size()) - 1; }
  double done(int rank, int index) const { return index < 0 ? 0 : timing_.done_s[rank][index]; }

  // Finds what determined the end of operation `next_` of rank_, and moves to that cause.
  void explain() {
    const Operation& o = schedule_[rank_][next_];
    const double begin_s = done(rank_, next_ - 1), end_s = done(rank_, next_);
    if (end_s == begin_s) {
      --next_;
    } else if (o.kind == Kind::kCombine || o.kind == Kind::kCompute) {
      path_.push_back({.from = rank_, .to = rank_, .message = false, .seconds = end_s - begin_s});
      --next_;
    } else {
      const int m = matching_.message_of(rank_, next_);
      if (end_s == timing_.transfers[m].arrival_s) return explain_arrival(m);
      // The message kept the sender busy.
      path_.push_back({.from = rank_, .to = o.peer, .message = true, .seconds = end_s - begin_s});
      --next_;
    }
  }

  // Moves to the event that determined the start of the message: usually its sender. It is the receiver if that posted
  // later, and in Hockney's model it may also be the previous message of either.
  void explain_arrival(int m) {
    while (true) {
      const Matching::Message& message = matching_.message(m);
      const Transfer& t = timing_.transfers[m];
      const double called_s = done(message.from, message.send_index - 1);
      const double posted_s = done(message.to, message.receive_index);
      const auto add = [&](double since_s) {
        path_.push_back({.from = t.from, .to = t.to, .message = true, .seconds = t.arrival_s - since_s});
      };
      const bool eager = model_ == CostModel::kLogGP && is_eager(machine_, message.bytes);
      if (eager || called_s >= t.start_s) {
        add(called_s);
        rank_ = message.from;
        next_ = message.send_index - 1;
        return;
      }
      if (model_ == CostModel::kLogGP || posted_s >= t.start_s) {
        add(posted_s);
        rank_ = message.to;
        next_ = message.receive_index;
        return;
      }
      add(t.start_s);
      const bool taken = message.before >= 0 && timing_.transfers[message.before].arrival_s >= t.start_s;
      m = taken ? message.before : matching_.sent_before(m);
    }
  }

  const Machine& machine_;
  const Schedule& schedule_;
  const Timing& timing_;
  const Matching matching_;
  const CostModel model_;
  int rank_ = 0, next_ = -1;
  std::vector<PathStep> path_;  // in reverse order
};

}  // namespace

std::vector<PathStep> critical_path(const Machine& machine, const Schedule& schedule, const Timing& timing,
                                    CostModel model) {
  return Walk(machine, schedule, timing, model).run();
}

PathSummary summarize(const MessageCosts& costs, const std::vector<Binding>& ranks, const std::vector<PathStep>& path) {
  const Topology& t = costs.topology();
  PathSummary summary;
  struct Share {
    int depth;  // of the first such vertex
    LevelShare share;
  };
  std::vector<Share> shares;
  for (const PathStep& step : path) {
    if (!step.message) {
      summary.combine_s += step.seconds;
      continue;
    }
    const int meeting = t.lowest_common_ancestor(ranks[step.from].core, ranks[step.to].core);
    const auto same = [&](const Share& s) { return s.share.level == t.name(meeting); };
    auto at = std::find_if(shares.begin(), shares.end(), same);
    if (at == shares.end()) at = shares.insert(at, {t.depth(meeting), {t.name(meeting), 0, 0}});
    ++at->share.messages;
    at->share.seconds += step.seconds;
    ++summary.messages;
  }
  std::stable_sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.depth < b.depth; });
  for (Share& s : shares) summary.levels.push_back(std::move(s.share));
  return summary;
}

}  // namespace strata::models
