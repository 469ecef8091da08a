// SPDX-License-Identifier: LGPL-2.1-only
// The trees along which Open MPI's collectives send. For example, the binary tree of 7 ranks with root 0:
//
//        0
//      1   2        the children of rank 1 are 3 and 5, not 3 and 4
//     3 5 4 6
//
// Children are in the order in which a rank sends to them. Source: ompi/mca/coll/base/coll_base_topo.c of Open MPI
// 4.1.4; 5.0.7 has the same trees.
#pragma once

#include <vector>

namespace strata::collectives {

/// One rank's place in a tree.
struct Place {
  int parent = -1;  // -1: it is the root
  std::vector<int> children = {};
};

/// All ranks are counted from the root on: (rank - root) mod ranks.
Place binary_tree(int ranks, int root, int rank);
/// The parent has the highest bit less; the nearest child is first. Broadcasts use it.
Place binomial_tree(int ranks, int root, int rank);
/// The parent has the lowest bit less, so that a subtree is a range of ranks; the nearest child is first. Reductions,
/// gathers and scatters use it.
Place in_order_binomial_tree(int ranks, int root, int rank);
/// The parent has the lowest digit to base `radix` less; the farthest child is first.
Place k_nomial_tree(int ranks, int root, int rank, int radix);
/// `chains` chains that begin at the root's children and differ by at most one rank in length.
Place chain(int ranks, int root, int rank, int chains);
/// A binary tree whose root is the last rank, and where the ranks of the second child come before those of the first,
/// which come before their parent: reductions along it keep the order of ranks.
Place in_order_binary_tree(int ranks, int rank);

}  // namespace strata::collectives
