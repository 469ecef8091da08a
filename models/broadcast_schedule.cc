#include "models/broadcast_schedule.h"

#include <bit>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

namespace strata::models {
namespace {

void add_message(Schedule& schedule, int from, int to) {
  schedule[from].push_back({Operation::Kind::kSend, to});
  schedule[to].push_back({Operation::Kind::kReceive, from});
}

void add_linear(Schedule& schedule, const std::vector<int>& members, int root) {
  for (int i = 0; i < static_cast<int>(members.size()); ++i) {
    if (i != root) add_message(schedule, members[root], members[i]);
  }
}

// In the order of v a rank's receive is added before its sends: its parent is a smaller v.
void add_binomial(Schedule& schedule, const std::vector<int>& members, int root) {
  const unsigned p = static_cast<unsigned>(members.size());
  const auto member = [&](unsigned v) { return members[(v + root) % p]; };
  for (unsigned v = 0; v < p; ++v) {
    // bit_width(v) is h + 1, and 0 for the root, whose first child is 0 + 2^0.
    for (unsigned step = 1U << std::bit_width(v); v + step < p; step <<= 1) {
      add_message(schedule, member(v), member(v + step));
    }
  }
}

// `members` in increasing order; `root` is an index into them.
void add_algorithm(Schedule& schedule, BroadcastAlgorithm algorithm, const std::vector<int>& members, int root) {
  switch (algorithm) {
    case BroadcastAlgorithm::kLinear:
      return add_linear(schedule, members, root);
    case BroadcastAlgorithm::kBinomial:
      return add_binomial(schedule, members, root);
  }
}

// The child of `above` on the way down to `v`; -1 where v is `above` itself.
int child_towards(const Topology& t, int above, int v) {
  int child = -1;
  for (; v != above; v = t.parent(v)) child = v;
  return child;
}

// Broadcasts from the lowest of `members`, which has the data, to the others. `place[r]` is the deepest vertex that
// covers the binding of r. Recursion ends: the deepest vertex that covers several places is that of none of its
// children.
void add_hierarchical(Schedule& schedule, BroadcastAlgorithm algorithm, const Topology& t,
                      const std::vector<int>& place, const std::vector<int>& members) {
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
  add_algorithm(schedule, algorithm, bridge, 0);
  for (const auto& [vertex, group] : children) add_hierarchical(schedule, algorithm, t, place, group);
}

void require_root(int np, int root) {
  if (np < 1) throw std::invalid_argument("broadcast over " + std::to_string(np) + " ranks");
  if (root < 0 || root >= np) {
    throw std::invalid_argument("root " + std::to_string(root) + " of " + std::to_string(np) + " ranks");
  }
}

}  // namespace

std::optional<BroadcastAlgorithm> find_broadcast_algorithm(std::string_view name) {
  if (name == "linear") return BroadcastAlgorithm::kLinear;
  if (name == "binomial") return BroadcastAlgorithm::kBinomial;
  return std::nullopt;
}

Schedule native_broadcast(BroadcastAlgorithm algorithm, int np, int root) {
  require_root(np, root);
  std::vector<int> members(np);
  std::iota(members.begin(), members.end(), 0);
  Schedule schedule(np);
  add_algorithm(schedule, algorithm, members, root);
  return schedule;
}

Schedule hierarchical_broadcast(BroadcastAlgorithm algorithm, const Topology& topology,
                                const std::vector<Binding>& ranks, int root) {
  const int np = static_cast<int>(ranks.size());
  require_root(np, root);
  std::vector<int> members(np), place(np);
  std::iota(members.begin(), members.end(), 0);
  for (int r = 0; r < np; ++r) {
    place[r] = topology.covering(ranks[r].node, ranks[r].cpuset);
    if (place[r] < 0) throw std::invalid_argument("rank " + std::to_string(r) + " is bound to PUs that its node lacks");
  }
  Schedule schedule(np);
  if (root != 0) add_message(schedule, root, 0);
  add_hierarchical(schedule, algorithm, topology, place, members);
  return schedule;
}

}  // namespace strata::models
