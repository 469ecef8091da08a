// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/pair_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "calibration/held_out.h"
#include "platforms/topology.h"

namespace strata::calibration {
namespace {

// The children of a vertex below which there is a rank of each role.
struct Met {
  std::vector<int> first, second;
};

void insert(std::vector<int>& children, int child) {
  if (std::find(children.begin(), children.end(), child) == children.end()) children.push_back(child);
}

// Two ranks meet at a vertex if they are below different children of it.
bool meet_here(const Met& m) {
  if (m.first.empty() || m.second.empty()) return false;
  return m.first.size() > 1 || m.second.size() > 1 || m.first.front() != m.second.front();
}

int parts_of(const Topology& t, const std::string& level) {
  size_t most = 0;
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (t.name(v) == level) most = std::max(most, t.children(v).size());
  }
  return static_cast<int>(most);
}

}  // namespace

PairLevels levels_of_pairs(const Machine& machine, const std::string& level, int processes, int stride,
                           int ranks_per_node) {
  const Topology& t = *machine.topology;
  const std::string outermost = level.empty() ? machine.levels.front().level : level;
  if (processes < 2) return {.innermost = "", .outermost = "", .problem = "a single process has no pair"};
  if (processes <= parts_of(t, outermost)) {
    PairLevels one{.innermost = outermost, .outermost = outermost};
    if (level.empty()) {
      one.assumption = fmt::format(
          "its {} processes are taken to meet at {}, one in each part; if they were elsewhere, write LEVEL=FILE",
          processes, outermost);
    }
    return one;
  }
  const HeldOut job{.level = level, .ranks = processes};
  const int room = room_for(job, machine, ranks_per_node);
  if (processes > room) {
    return {.innermost = "",
            .outermost = "",
            .problem = fmt::format("{} processes, where {} cores{} may have one", processes, room,
                                   level.empty() ? "" : " of " + level)};
  }
  const std::vector<Binding> ranks = bindings_of(job, machine, ranks_per_node);
  std::map<int, Met> met;  // by vertex
  for (int r = 0; r < processes; ++r) {
    for (int v = ranks[r].core; t.parent(v) >= 0; v = t.parent(v)) {
      Met& m = met[t.parent(v)];
      if (r % stride == 0) insert(m.first, v);
      if ((processes - 1 - r) % stride == 0) insert(m.second, v);
    }
  }
  PairLevels levels;
  for (const LevelCosts& costs : machine.levels) {  // the outermost first
    const bool here = std::any_of(met.begin(), met.end(), [&](const auto& at) {
      return t.name(at.first) == costs.level && meet_here(at.second);
    });
    if (!here) continue;
    if (levels.outermost.empty()) levels.outermost = costs.level;
    levels.innermost = costs.level;
  }
  if (levels.outermost.empty()) levels.problem = "no two of its processes are a pair";
  return levels;
}

}  // namespace strata::calibration
