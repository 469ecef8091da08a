// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/schedules/tree_levels.h"

#include <algorithm>

#include "collectives/schedules/node_communicators.h"

namespace strata::collectives {
namespace {

int height_of(int ranks, int arity) {
  int height = 0;
  for (std::int64_t width = 1; width < ranks; width *= arity) ++height;
  return height;
}

// The ranks of each node. The root's node is first, then in the order of their first ranks.
std::vector<std::vector<int>> by_node(const std::vector<int>& nodes, int root) {
  NodeTable table(nodes);
  const auto first = table.ranks.begin(), of_root = first + table.nodes[root];
  std::rotate(first, of_root, of_root + 1);
  return table.ranks;
}

}  // namespace

TreeLevels tree_levels(int ranks, int root, int rank, int arity) {
  TreeLevels tree;
  tree.height = height_of(ranks, arity);
  tree.subtree = ranks;
  const std::int64_t v = (rank - root + ranks) % ranks;
  const auto rank_of = [&](std::int64_t from_root) { return static_cast<int>((from_root + root) % ranks); };
  std::int64_t width = 1;  // of a subtree below this level
  for (int level = 1; level <= tree.height; ++level, width *= arity) {
    const std::int64_t first = v - v % (width * arity);
    if (first != v) {
      tree.parent = rank_of(first);
      tree.parent_level = level;
      tree.subtree = static_cast<int>(std::min(width, ranks - v));
      break;
    }
    for (std::int64_t child = v + width; child < std::min<std::int64_t>(v + width * arity, ranks); child += width) {
      tree.children.push_back({level, rank_of(child), static_cast<int>(std::min(width, ranks - child))});
    }
  }
  return tree;
}

TreeLevels tree_levels_over_nodes(const std::vector<int>& nodes, int root, int rank, int arity) {
  const std::vector<std::vector<int>> ranks = by_node(nodes, root);
  std::size_t most = 0;
  for (const auto& of_node : ranks) most = std::max(most, of_node.size());
  const int in_nodes = height_of(static_cast<int>(most), arity);
  const int node = static_cast<int>(
      std::find_if(ranks.begin(), ranks.end(), [&](const auto& r) { return nodes[r[0]] == nodes[rank]; }) -
      ranks.begin());
  const std::vector<int>& here = ranks[node];
  const int number = static_cast<int>(ranks.size());
  TreeLevels tree =
      tree_levels(static_cast<int>(here.size()), node == 0 ? place_in(here, root) : 0, place_in(here, rank), arity);
  tree.height = in_nodes + height_of(number, arity);
  for (auto& child : tree.children) child.rank = here[child.rank];
  if (tree.parent >= 0) {
    tree.parent = here[tree.parent];
    return tree;
  }
  const auto first_of = [&](int n) { return n == 0 ? root : ranks[n].front(); };
  const TreeLevels above = tree_levels(number, 0, node, arity);
  for (const auto& child : above.children) {
    tree.children.push_back({in_nodes + child.level, first_of(child.rank), child.subtree});
  }
  if (above.parent >= 0) {
    tree.parent = first_of(above.parent);
    tree.parent_level = in_nodes + above.parent_level;
  }
  return tree;
}

}  // namespace strata::collectives
