// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/slack.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "records/exchange/together.h"
#include "replay/costs.h"

namespace strata::replay {
namespace {

using What = History::What;

// Finds the latest times by reading the records backwards.
class Latest {
 public:
  explicit Latest(const History& history)
      : history_(history),
        rank_(static_cast<std::size_t>(history.ranks()), history.end()),
        arrival_(history.messages().size(), History::kNever),
        sent_(history.messages().size(), History::kNever) {}

  std::vector<double> arrivals() {
    const std::vector<History::Record>& records = history_.records();
    for (auto r = records.rbegin(); r != records.rend(); ++r) take(*r);
    return std::move(arrival_);
  }

 private:
  static void lower(double& latest, double to) { latest = std::min(latest, to); }
  double& rank(const History::Record& r) { return rank_[r.rank]; }
  double& sent(const History::Record& r) { return sent_[r.message]; }
  double& arrival(const History::Record& r) { return arrival_[r.message]; }
  double& start(const History::Record& r) {
    const std::uint64_t key = static_cast<std::uint64_t>(r.peer) << 32 | static_cast<std::uint64_t>(r.message);
    return start_.try_emplace(key, History::kNever).first->second;
  }

  void take(const History::Record& r) {
    switch (r.what) {
      case What::kWork:
        rank(r) -= r.at - r.from;
        return;
      case What::kWait:
        return lower(arrival(r), rank(r));
      case What::kProbe:
        return lower(sent(r), rank(r));
      case What::kSend:
        lower(rank(r), sent(r));
        return lower(rank(r), began(r));
      case What::kReceive:
      case What::kAccept:
        // An eager message does not wait for its receive.
        if (!history_.messages()[r.message].eager) lower(rank(r), began(r));
        return;
      case What::kMeet:
        return meet(r);
      case What::kStart:
        return lower(start(r), rank(r) - kTogetherAfter);
      case What::kRead:
        return lower(rank(r), start(r));
      case What::kCall:
      case What::kBegin:
      case What::kArrive:
      case What::kBlock:
      case What::kCome:
      case What::kEnd:
        return;
    }
  }

  // The latest time at which the message may begin to flow.
  double began(const History::Record& r) {
    const History::Message& m = history_.messages()[r.message];
    return m.began < 0 || m.arrived < 0 ? History::kNever : arrival(r) - (m.arrived - m.began);
  }

  void meet(const History::Record& r) {
    const std::vector<int>& members = history_.groups()[r.peer];
    double latest = History::kNever;
    for (const int member : members) lower(latest, rank_[member]);
    for (const int member : members) rank_[member] = latest;
  }

  const History& history_;
  std::vector<double> rank_, arrival_, sent_;
  std::unordered_map<std::uint64_t, double> start_;  // by group, and number of the clock reading
};

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::vector<double> slack_of_messages(const History& history) {
  std::vector<double> slack = Latest(history).arrivals();
  for (std::size_t m = 0; m < slack.size(); ++m) {
    if (slack[m] != History::kNever) slack[m] = std::max(0.0, slack[m] - history.messages()[m].arrived);
  }
  return slack;
}

double SlackSummary::from(std::size_t bin) { return bin == 0 ? 0 : bin == 1 ? kRounding : to(bin - 1); }

double SlackSummary::to(std::size_t bin) {
  if (bin == 0) return kRounding;
  return bin + 1 == kBins ? History::kNever : kFirst * std::pow(10.0, static_cast<double>(bin) - 1);
}

SlackSummary summary_of(const std::vector<double>& slack, const History& history, const Machine& machine,
                        const std::vector<int>& cores) {
  SlackSummary summary;
  const Costs costs(machine);
  summary.levels = costs.levels();
  std::vector<std::vector<double>> of_level(summary.levels.size());
  const auto core = [&](int rank) { return cores[rank]; };
  for (std::size_t m = 0; m < slack.size(); ++m) {
    if (slack[m] == History::kNever) {
      ++summary.unawaited;
      continue;
    }
    std::size_t bin = 0;
    while (slack[m] >= SlackSummary::to(bin)) ++bin;
    ++summary.messages[bin];
    const History::Message& message = history.messages()[m];
    of_level[costs.level(core(message.from), core(message.to))].push_back(slack[m]);
  }
  for (std::size_t l = 0; l < of_level.size(); ++l) {
    std::vector<double>& all = of_level[l];
    if (all.empty()) continue;
    summary.by_level.push_back({static_cast<int>(l), static_cast<std::int64_t>(all.size()),
                                *std::min_element(all.begin(), all.end()), median(all)});
  }
  return summary;
}

}  // namespace strata::replay
