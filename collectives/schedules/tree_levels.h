// SPDX-License-Identifier: LGPL-2.1-only
// The m-nomial tree of IJHPCA'19 by levels from the leaves. For example, with m = 2, 6 ranks and root 0:
//
//   level 1   1 -> 0  3 -> 2  5 -> 4
//   level 2   2 -> 0
//   level 3   4 -> 0
//
// Over nodes, each node has a tree, and one tree above them connects the first ranks of the nodes (the root on its own
// node). Source: IJHPCA'19, section 6.1 and Figure 8; mpi_ext/nbc/level_tree.cc.
#pragma once

#include <vector>

#include "collectives/schedules/collective.h"

namespace strata::collectives {

struct TreeLevels {
  struct Child {
    int level, rank;
    int subtree;  // ranks below the child, itself included
  };
  int parent = -1, parent_level = 0;
  int subtree = 1, height = 0;
  std::vector<Child> children = {};  // by level
};

/// One tree over all ranks; `arity`: m, at least 2.
TreeLevels tree_levels(int ranks, int root, int rank, int arity);
/// `nodes`: by rank.
TreeLevels tree_levels_over_nodes(const std::vector<int>& nodes, int root, int rank, int arity);

}  // namespace strata::collectives
