// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/nodes.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <unordered_map>

namespace strata::mpix {

Nodes nodes_of(const std::vector<long>& actors, const std::vector<int>& hosts) {
  const auto at = [](int rank) { return static_cast<std::size_t>(rank); };
  std::vector<int> by_actor(actors.size());
  std::iota(by_actor.begin(), by_actor.end(), 0);
  std::sort(by_actor.begin(), by_actor.end(), [&](int a, int b) { return actors[at(a)] < actors[at(b)]; });
  Nodes nodes;
  nodes.leaders.resize(actors.size());
  nodes.index.resize(actors.size());
  std::unordered_map<int, std::size_t> known;
  for (const int rank : by_actor) {
    const auto [found, is_new] = known.try_emplace(hosts[at(rank)], nodes.ranks.size());
    if (is_new) nodes.ranks.emplace_back();
    std::vector<int>& node = nodes.ranks[found->second];
    if (!node.empty() && rank != node.back() + 1) nodes.blocked = false;
    node.push_back(rank);
    nodes.index[at(rank)] = static_cast<int>(found->second);
    nodes.leaders[at(rank)] = static_cast<int>(actors[at(node.front())]);
  }
  for (const std::vector<int>& node : nodes.ranks) {
    nodes.sizes.push_back(static_cast<int>(node.size()));
    if (nodes.sizes.back() != nodes.sizes.front()) nodes.uniform = false;
  }
  return nodes;
}

}  // namespace strata::mpix
