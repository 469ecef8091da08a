// SPDX-License-Identifier: LGPL-2.1-only
// The m-nomial tree of the nonblocking collectives, seen as levels from the leaves (IJHPCA'19, Section 6.1, Figure 8):
// the ranks that take part on each level, and which rank sends to which.
//
// Ranks are counted from the root: v = (rank - root) mod size. Before level i (from 1), the v that are multiples of
// m^(i-1) take part; in each group of m neighbours among them, all send to the first. A reduce or a gather sends up on
// levels 1, 2, ...; a broadcast or a scatter sends down on levels H, ..., 1. With m = 2 it is the in-order binomial
// tree (coll/tree.h). The subtree of v before level i is the range [v, v + m^(i-1)). Pure; O(children + height).
#pragma once

#include <span>
#include <vector>

namespace strata::mpix {

/// The number of levels: the least H with m^H >= size; 0 for one rank. `arity` (m) is at least 2.
int tree_height(int size, int arity);

struct LevelTree {
  struct Child {
    int level;  // 1 is nearest the leaves
    int rank;
    int subtree;  // number of ranks in the child's subtree, including the child: [v, v + subtree)
  };
  int height = 0;               // of the whole tree
  int parent = -1;              // rank; -1 at the root
  int parent_level = 0;         // level on which this rank sends to its parent; 0 at the root
  int subtree = 1;              // ranks in the subtree of this rank, itself included
  std::vector<Child> children;  // by level, then by v
};

/// The tree as one rank sees it. Throws std::invalid_argument if rank or root is not below `size`, or arity is below 2
/// (as do the functions below).
LevelTree level_tree(int rank, int size, int root, int arity);

/// The same over nodes. Each node has a tree; its root is the root's rank on the root's node, and the first rank on
/// every other node. On the levels above the highest of these trees, one tree connects the nodes' roots, beginning with
/// the root's node, then the others in the order of their first ranks. `node_of_rank[r]` is any number that identifies
/// the node of rank r. `subtree` counts ranks, which need not be a range of v's here. With one node it is level_tree.
/// O(size).
LevelTree level_tree_over_nodes(int rank, std::span<const int> node_of_rank, int root, int arity);

/// The highest level inside a node, in the tree over nodes; higher levels are between nodes.
int height_in_nodes(std::span<const int> node_of_rank, int arity);

}  // namespace strata::mpix
