// SPDX-License-Identifier: LGPL-2.1-only
// The trees of the collective algorithms, as Open MPI's coll_base defines them (ompi/mca/coll/base/coll_base_topo.c,
// 2.0.1): a rank's parent and children. Pure functions; O(log size) or O(children).
//
// Ranks are counted from the root: v = (rank - root) mod size. Children are in the order in which they are served.
#pragma once

#include <vector>

namespace strata::mpix {

struct Tree {
  int parent = -1;            // rank; -1 at the root
  std::vector<int> children;  // ranks, in the order of service
};

/// `fanout` chains of nearly equal length start at the root (the first ones are longer). One chain is the pipeline.
Tree chain_tree(int rank, int size, int root, int fanout);

/// The complete binary tree, filled level by level: v on level l, which begins at 2^l - 1, has the children v + 2^l and
/// v + 2 2^l. Odd v are in the left subtree of the root, even ones in the right.
Tree binary_tree(int rank, int size, int root);

/// v receives from v without its highest bit and sends to v + 2^k for each 2^k above that bit, nearest first. Used by
/// broadcast: the first child has the largest subtree.
Tree binomial_tree(int rank, int size, int root);

/// v sends to v without its lowest bit and receives from v + 2^k for each 2^k below that bit, nearest first. Used by
/// reduce, gather and scatter: the first child is a leaf, and the subtree of v is the range of in_order_span ranks that
/// begins at v.
Tree in_order_binomial_tree(int rank, int size, int root);
/// The number of ranks in the subtree of v in in_order_binomial_tree.
int in_order_span(int v, int size);

/// A binary tree whose subtrees are ranges of ranks, rooted at rank size - 1. Combining first the first child's
/// contribution (higher ranks) and then the second child's (lower ranks) from the left keeps rank order, as operations
/// that do not commute require.
Tree in_order_binary_tree(int rank, int size);

}  // namespace strata::mpix
