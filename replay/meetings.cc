// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/meetings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "records/exchange/together.h"

namespace strata::replay {
Meetings::Meetings(const std::vector<std::vector<int>>& groups) {
  for (const std::vector<int>& members : groups) groups_.push_back({.size = members.size(), .here = {}, .starts = {}});
}

std::vector<int> Meetings::meet(int group, int rank) {
  Group& g = groups_[group];
  g.here.push_back(rank);
  if (g.here.size() < g.size) return {};
  return std::exchange(g.here, {});
}

void Meetings::read_clock(int group, int rank, double now_s) {
  Group& g = groups_[group];
  const std::int64_t index = count(reads_, group, rank) - g.first_start;
  while (index >= static_cast<std::int64_t>(g.starts.size())) g.starts.push_back({0, g.size});
  double& last_s = g.starts[index].last_read_s;
  last_s = std::max(last_s, now_s);
}

double Meetings::start_of(int group, int rank) {
  Group& g = groups_[group];
  const std::int64_t index = count(starts_, group, rank) - g.first_start;
  if (index < 0 || index >= static_cast<std::int64_t>(g.starts.size()))
    throw InputError("trace", fmt::format("rank {} starts together with others that have not read the clock", rank));
  Start& start = g.starts[index];
  const double start_s = start.last_read_s + kTogetherAfter;
  --start.to_come;
  while (!g.starts.empty() && g.starts.front().to_come == 0) {
    g.starts.pop_front();
    ++g.first_start;
  }
  return start_s;
}

std::int64_t Meetings::count(Counts& counts, int group, int rank) {
  return counts[static_cast<std::uint64_t>(rank) << 32 | static_cast<std::uint32_t>(group)]++;
}

}  // namespace strata::replay
