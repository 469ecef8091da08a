// SPDX-License-Identifier: LGPL-2.1-only
#include "models/hierarchy.h"

#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

#include "base/limits.h"

namespace strata::models {
namespace {

// The child of `above` on the path to `v`; -1 if `v` is `above` itself.
int child_towards(const Topology& t, int above, int v) {
  int child = -1;
  for (; v != above; v = t.parent(v)) child = v;
  return child;
}

// `place[r]` is the deepest vertex that covers the binding of r. The recursion ends because no child of the deepest
// vertex that covers several places covers all of them.
void add_topological(Hierarchy& hierarchy, const Topology& t, const std::vector<int>& place,
                     const std::vector<int>& members) {
  if (members.size() < 2) return;
  int cover = place[members[0]];
  for (int r : members) cover = t.lowest_common_ancestor(cover, place[r]);
  std::map<int, std::vector<int>> children;
  std::vector<int> bridge;
  for (int r : members) {
    const int child = child_towards(t, cover, place[r]);
    if (child < 0) {
      bridge.push_back(r);
      continue;
    }
    std::vector<int>& group = children[child];
    if (group.empty()) bridge.push_back(r);
    group.push_back(r);
  }
  hierarchy.bridges.push_back(bridge);
  for (const auto& [vertex, group] : children) add_topological(hierarchy, t, place, group);
}

}  // namespace

Hierarchy topological_hierarchy(const Topology& topology, const std::vector<Binding>& ranks) {
  const int np = static_cast<int>(ranks.size());
  if (np == 0) throw std::invalid_argument("a hierarchy of 0 ranks");
  std::vector<int> members(np), place(np);
  std::iota(members.begin(), members.end(), 0);
  for (int r = 0; r < np; ++r) {
    place[r] = topology.covering(ranks[r].node, ranks[r].cpuset);
    if (place[r] < 0) throw std::invalid_argument("rank " + std::to_string(r) + " is bound to PUs that its node lacks");
  }
  Hierarchy hierarchy{.np = np, .bridges = {}};
  add_topological(hierarchy, topology, place, members);
  return hierarchy;
}

Hierarchy grouped_hierarchy(std::span<const int> groups) {
  Hierarchy hierarchy{.np = 1, .bridges = {}};
  for (const int g : groups) {
    if (g < 1) throw std::invalid_argument("a level of " + std::to_string(g) + " groups");
    if (hierarchy.np > kMostRanks / g) throw std::invalid_argument("a hierarchy of too many ranks");
    hierarchy.np *= g;
  }
  int size = hierarchy.np;  // of a communicator that this level splits
  for (const int g : groups) {
    const int block = size / g;
    for (int first = 0; first < hierarchy.np; first += size) {
      std::vector<int>& bridge = hierarchy.bridges.emplace_back();
      for (int i = 0; i < g; ++i) bridge.push_back(first + i * block);
    }
    size = block;
  }
  return hierarchy;
}

}  // namespace strata::models
