// SPDX-License-Identifier: LGPL-2.1-only
// The complete trees on which collectives run: each vertex's parent, and its children in the order in which it serves
// them.
//
// Vertices are v = (rank - root + p) % p, so that v = 0 is the root; only the vertices of the in-order binary tree are
// ranks. The shapes are those of Open MPI 2.0.1 (ompi/mca/coll/base/coll_base_topo.c), built here from their
// definitions rather than rank by rank. Each takes O(p). All throw std::invalid_argument if p < 1.
#pragma once

#include <vector>

namespace strata::models {

struct Tree {
  int root = 0;
  std::vector<int> parent;                 // -1 at the root
  std::vector<std::vector<int>> children;  // in the order of service
};

/// `chains` chains of consecutive vertices start at the root. Their lengths differ by at most one, the longer ones
/// first. There are at most as many chains as vertices. One chain is the pipeline.
Tree chain_tree(int p, int chains);

/// Filled level by level: level l has the vertices 2^l - 1 to 2^(l+1) - 2, and the children of v on it are v + 2^l and
/// v + 2^(l+1). Both are on v's side of the root: odd vertices on the left one, even ones on the right one.
Tree binary_tree(int p);

/// v receives from v without its highest bit 2^h and serves v + 2^(h+1), v + 2^(h+2), ...: nearest first.
Tree binomial_tree(int p);

/// v receives from v without its lowest bit 2^l and serves v + 1, v + 2, v + 4, ... below v + 2^l: a subtree is a range
/// of vertices, which a gather receives as one block. Reduces too go up this one: nearest children are done first.
Tree in_order_binomial_tree(int p);

/// Vertices are ranks: a subtree is a range of ranks, rooted at its last. Of n ranks the first n / 2 form the right
/// child's subtree, the others without the root the left one's; of two ranks the first is the left child. The left
/// child is served first, so that contributions are combined in rank order, from the last to the first.
Tree in_order_binary_tree(int p);

/// Every vertex after its parent, subtrees contiguous, children in the order of service. O(p).
std::vector<int> preorder(const Tree& tree);

}  // namespace strata::models
