// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/nbc/level_tree.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

namespace strata::mpix {
namespace {

void require(bool valid, const char* what) {
  if (!valid) throw std::invalid_argument(std::string("tree of levels: ") + what);
}

void require_valid(int rank, int size, int root, int arity) {
  require(size >= 1, "size is below 1");
  require(rank >= 0 && rank < size, "rank is out of range");
  require(root >= 0 && root < size, "root is out of range");
  require(arity >= 2, "arity is below 2");
}

using Nodes = std::vector<std::vector<int>>;

// The ranks of each node in increasing order. The root's node is first; the others follow in the order of their first
// ranks.
Nodes nodes_of(std::span<const int> node_of_rank, int root) {
  Nodes nodes(1);
  std::unordered_map<int, std::size_t> index = {{node_of_rank[root], 0}};
  for (int rank = 0; rank < std::ssize(node_of_rank); ++rank) {
    const auto [at, is_new] = index.try_emplace(node_of_rank[rank], nodes.size());
    if (is_new) nodes.emplace_back();
    nodes[at->second].push_back(rank);
  }
  return nodes;
}

int height_in(const Nodes& nodes, int arity) {
  std::size_t largest = 0;
  for (const auto& ranks : nodes) largest = std::max(largest, ranks.size());
  return tree_height(static_cast<int>(largest), arity);
}

int index_in(const std::vector<int>& ranks, int rank) {
  return static_cast<int>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}

}  // namespace

int tree_height(int size, int arity) {
  require_valid(0, size, 0, arity);
  int height = 0;
  for (long width = 1; width < size; width *= arity) ++height;
  return height;
}

LevelTree level_tree(int rank, int size, int root, int arity) {
  require_valid(rank, size, root, arity);
  LevelTree tree;
  tree.height = tree_height(size, arity);
  tree.subtree = size;
  const long v = rank < root ? static_cast<long>(rank) - root + size : rank - root;
  const auto rank_of = [&](long from_root) { return static_cast<int>((from_root + root) % size); };
  long width = 1;  // of a subtree below this level
  for (int level = 1; level <= tree.height; ++level, width *= arity) {
    const long first = v - v % (width * arity);  // of v's group
    if (first != v) {
      tree.parent = rank_of(first);
      tree.parent_level = level;
      tree.subtree = static_cast<int>(std::min(width, size - v));
      break;
    }
    for (long child = v + width; child < std::min<long>(v + width * arity, size); child += width) {
      tree.children.push_back({level, rank_of(child), static_cast<int>(std::min(width, size - child))});
    }
  }
  return tree;
}

LevelTree level_tree_over_nodes(int rank, std::span<const int> node_of_rank, int root, int arity) {
  require_valid(rank, static_cast<int>(node_of_rank.size()), root, arity);
  const Nodes nodes = nodes_of(node_of_rank, root);
  const int in_nodes = height_in(nodes, arity);
  const auto node =
      std::ranges::find_if(nodes, [&](const auto& ranks) { return node_of_rank[ranks.front()] == node_of_rank[rank]; });
  const bool of_root = node == nodes.begin();

  const int ranks = static_cast<int>(node->size());
  LevelTree tree = level_tree(index_in(*node, rank), ranks, of_root ? index_in(*node, root) : 0, arity);
  tree.height = in_nodes + tree_height(static_cast<int>(nodes.size()), arity);
  for (auto& child : tree.children) child.rank = (*node)[child.rank];
  if (tree.parent >= 0) {
    tree.parent = (*node)[tree.parent];
    return tree;
  }

  const auto root_of = [&](int n) { return n == 0 ? root : nodes[n].front(); };
  const auto ranks_of = [&](int first, int count) {
    int sum = 0;
    for (int n = first; n < first + count; ++n) sum += static_cast<int>(nodes[n].size());
    return sum;
  };
  const int this_node = static_cast<int>(node - nodes.begin());
  const LevelTree above = level_tree(this_node, static_cast<int>(nodes.size()), 0, arity);
  tree.subtree = ranks_of(this_node, above.subtree);
  for (const auto& child : above.children) {
    tree.children.push_back({in_nodes + child.level, root_of(child.rank), ranks_of(child.rank, child.subtree)});
  }
  if (above.parent >= 0) {
    tree.parent = root_of(above.parent);
    tree.parent_level = in_nodes + above.parent_level;
  }
  return tree;
}

int height_in_nodes(std::span<const int> node_of_rank, int arity) {
  return height_in(nodes_of(node_of_rank, 0), arity);
}

}  // namespace strata::mpix
