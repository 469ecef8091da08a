// The trees of the collective algorithms, as Open MPI's coll_base defines them (ompi/mca/coll/base/coll_base_topo.c, 2.0.1):
// who sends to whom, seen from one rank. Pure functions; O(log size) or O(children).
//
// Ranks are counted from the root: v = (rank - root) mod size. Children are in the order in which they are served.
#pragma once

#include <vector>

namespace strata::mpix {

struct Tree {
  int parent = -1;            // rank; -1 at the root
  std::vector<int> children;  // ranks, in the order of service
};

/// The root is everybody's parent; children in the order of their ranks.
Tree linear_tree(int rank, int size, int root);

/// `fanout` chains of nearly equal length hang from the root (the first ones are the longer). One chain is the pipeline.
Tree chain_tree(int rank, int size, int root, int fanout);

/// Each rank has up to `fanout` children, filled level by level; v on level l, which begins at (f^l - 1) / (f - 1), has the
/// children v + f^l (i + 1) for i < fanout. fanout >= 2.
Tree complete_tree(int rank, int size, int root, int fanout);

/// v receives from v without its highest bit and sends to v + 2^k for each 2^k above that bit, nearest first.
Tree binomial_tree(int rank, int size, int root);

/// A binary tree whose subtrees are contiguous ranges of ranks, rooted at rank size - 1: combining a left child's (higher
/// ranks), right child's and own contribution in the right order keeps the order of the ranks. For operations that do not
/// commute.
Tree in_order_binary_tree(int rank, int size);

}  // namespace strata::mpix
