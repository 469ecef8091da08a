// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/traffic.h"

#include <algorithm>
#include <cmath>

namespace strata::flow {

void MessageMatrix::add(int sender, int receiver, std::uint64_t bytes) {
  if (!whole()) return;
  if (rows_.size() <= static_cast<size_t>(sender)) rows_.resize(sender + 1);
  Cell& cell = rows_[sender][receiver];
  if (cell.messages == 0 && ++pairs_ > most_pairs_) {
    rows_ = {};
    return;
  }
  cell.bytes += bytes;
  ++cell.messages;
}

std::vector<WholeEntry> MessageMatrix::entries(std::uint64_t Cell::*what) const {
  std::vector<WholeEntry> entries;
  for (size_t sender = 0; sender < rows_.size(); ++sender) {
    const auto row = static_cast<long>(entries.size());
    for (const auto& [receiver, cell] : rows_[sender]) {
      entries.push_back({static_cast<int>(sender), receiver, cell.*what});
    }
    std::sort(entries.begin() + row, entries.end(),
              [](const WholeEntry& a, const WholeEntry& b) { return a.column < b.column; });
  }
  return entries;
}

MessageLevels::MessageLevels(const Machine& machine, const RouteTree& tree)
    : machine_(machine), tree_(tree), at_stop_(tree.stops().size()), loopback_{kLoopbackLevel} {}

void MessageLevels::add(int sender_core, int receiver_core, std::uint64_t bytes) {
  LevelMessages& count = sender_core == receiver_core ? loopback_ : at_stop_[tree_.meet(sender_core, receiver_core)];
  ++count.messages;
  count.bytes += bytes;
}

std::vector<LevelMessages> MessageLevels::counts() const {
  std::vector<LevelMessages> levels;
  for (const LevelCosts& costs : machine_.levels) {
    LevelMessages level{costs.level};
    for (size_t s = 0; s < at_stop_.size(); ++s) {
      if (tree_.stops()[s].costs == nullptr || tree_.stops()[s].costs->level != costs.level) continue;
      level.messages += at_stop_[s].messages;
      level.bytes += at_stop_[s].bytes;
    }
    levels.push_back(std::move(level));
  }
  levels.push_back(loopback_);
  return levels;
}

std::vector<LinkTraffic> link_traffic(const std::vector<LinkName>& names, const std::vector<double>& bytes,
                                      const std::vector<Carried>& carried, double active_s, double busy_s) {
  std::vector<LinkTraffic> links;
  for (size_t l = 0; l < names.size(); ++l) {
    const LinkName& n = names[l];
    const double whole = std::floor(bytes[l]);
    if (n.capacity == 0 || (n.direction == "self" && whole == 0)) continue;
    const bool of_works = n.level == kMemoryLevel || n.level == kCacheLevel;
    const double time_s = of_works ? busy_s : active_s;
    links.push_back({n.link, n.level, n.direction, n.capacity, whole, static_cast<long>(carried[l].messages),
                     time_s > 0 ? whole / (n.capacity * time_s) : 0});
  }
  return links;
}

}  // namespace strata::flow
