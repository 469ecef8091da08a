// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/slow_hierarchy.h"

#include <algorithm>
#include <numeric>

namespace strata::check {
namespace {

using IsThere = std::function<bool(int, int)>;

// The first communicators on each path of repeated splits of `ranks` for which `is_there` is true.
void first_there(const SmallMachine& m, const std::vector<Pus>& bindings, const std::vector<int>& ranks, int splits,
                 const IsThere& is_there, std::vector<std::vector<int>>& out) {
  for (const std::vector<int>& members : slow_split(m, bindings, ranks)) {
    if (is_there(splits + 1, slow_cover(m, union_of(bindings, members)))) {
      out.push_back(members);
    } else {
      first_there(m, bindings, members, splits + 1, is_there, out);
    }
  }
}

void jump(const SmallMachine& m, const std::vector<Pus>& bindings, const std::vector<int>& ranks,
          const IsThere& is_there, SlowHierarchy& out) {
  std::vector<std::vector<int>> comms;
  first_there(m, bindings, ranks, 0, is_there, comms);
  add_siblings(m, bindings, comms, out);
  for (const std::vector<int>& c : comms) jump(m, bindings, c, is_there, out);
}

}  // namespace

int slow_cover(const SmallMachine& machine, Pus set) {
  int best = -1;
  for (int v = 0; v < machine.size(); ++v) {
    if (includes(machine.pus[v], set) && (best < 0 || machine.depth[v] > machine.depth[best])) best = v;
  }
  return best;
}

Pus union_of(const std::vector<Pus>& bindings, const std::vector<int>& ranks) {
  Pus all = 0;
  for (int r : ranks) all |= bindings[r];
  return all;
}

std::vector<int> first_ranks(int n) {
  std::vector<int> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

void add_siblings(const SmallMachine& machine, const std::vector<Pus>& bindings,
                  const std::vector<std::vector<int>>& members, SlowHierarchy& hierarchy) {
  hierarchy.levels.resize(bindings.size());
  std::vector<int> roots;
  for (const std::vector<int>& m : members) roots.push_back(m.front());
  std::sort(roots.begin(), roots.end());
  for (size_t i = 0; i < members.size(); ++i) {
    for (int r : members[i]) hierarchy.levels[r].push_back(static_cast<int>(hierarchy.comms.size()));
    hierarchy.comms.push_back({members[i], roots, slow_cover(machine, union_of(bindings, members[i])),
                               static_cast<int>(i), static_cast<int>(members.size())});
  }
}

std::vector<std::vector<int>> slow_split(const SmallMachine& machine, const std::vector<Pus>& bindings,
                                         const std::vector<int>& ranks) {
  const int object = slow_cover(machine, union_of(bindings, ranks));
  std::vector<std::vector<int>> comms;
  for (int child = object + 1; child < machine.size(); ++child) {
    if (machine.parent[child] != object) continue;
    std::vector<int> members;
    for (int r : ranks) {
      if (includes(machine.pus[child], bindings[r])) members.push_back(r);
    }
    if (!members.empty()) comms.push_back(std::move(members));
  }
  return comms;
}

SlowHierarchy slow_hierarchy(const SmallMachine& machine, const std::vector<Pus>& bindings) {
  return slow_jumps(machine, bindings, [](int, int) { return true; });
}

SlowHierarchy slow_jumps(const SmallMachine& machine, const std::vector<Pus>& bindings,
                         const std::function<bool(int splits, int cover)>& is_there) {
  SlowHierarchy hierarchy;
  hierarchy.levels.resize(bindings.size());
  jump(machine, bindings, first_ranks(static_cast<int>(bindings.size())), is_there, hierarchy);
  return hierarchy;
}

}  // namespace strata::check
