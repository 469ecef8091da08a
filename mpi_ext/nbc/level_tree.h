// SPDX-License-Identifier: LGPL-2.1-only
// The m-nomial tree of the nonblocking collectives, seen as levels from the leaves (IJHPCA'19, Section 6.1, Figure 8):
// which ranks still take part on each level, and which rank gives to which.
//
// Ranks are counted from the root: v = (rank - root) mod size. Before level i (from 1) the v that are multiples of
// m^(i-1) take part; each group of m neighbours among them gives to its first. What a reduce or a gather sends up on
// level 1, 2, ... a broadcast or a scatter sends down on level H, ..., 1. With m = 2 it is the in-order binomial tree
// (coll/tree.h). The subtree that v has before level i is the range of v's [v, v + m^(i-1)). Pure; O(children +
// height).
#pragma once

#include <span>
#include <vector>

namespace strata::mpix {

/// How many levels: the least H with m^H >= size. 0 for one rank. `arity` (m) is at least 2.
int tree_height(int size, int arity);

struct LevelTree {
  struct Child {
    int level;  // 1 is nearest the leaves
    int rank;
    int subtree;  // how many ranks are in the child's subtree, itself included: [v, v + subtree)
  };
  int height = 0;               // of the whole tree
  int parent = -1;              // rank; -1 at the root
  int parent_level = 0;         // on which it is given to; 0 at the root
  int subtree = 1;              // ranks in the subtree of this rank, itself included
  std::vector<Child> children;  // by level, then by v
};

/// The tree as one rank sees it. Throws std::invalid_argument on a rank or root that is not below `size`, an arity
/// below 2 (as the functions below).
LevelTree level_tree(int rank, int size, int root, int arity);

/// The same over nodes: first a tree in each node, whose root is the root's rank on its node and the first rank on each
/// other; then, on the levels above the highest of these trees, one over the nodes' roots, beginning with the root's
/// node, then the others in the order of their first ranks. `node_of_rank[r]` is any number that names the node of rank
/// r. `subtree` counts ranks, which are no range of v's here. With one node it is level_tree. O(size).
LevelTree level_tree_over_nodes(int rank, std::span<const int> node_of_rank, int root, int arity);

/// Of the tree over nodes: the highest level inside a node; levels above it are between nodes.
int height_in_nodes(std::span<const int> node_of_rank, int arity);

}  // namespace strata::mpix
