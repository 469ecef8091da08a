// SPDX-License-Identifier: LGPL-2.1-only
// Hops between vertices of a place tree in a few instructions, for searches that need millions of them.
//
// The path from the root to a vertex is encoded in one word, with separate bits for the turn at each depth: the highest
// bit in which two paths differ gives the depth at which they part. If a tree's turns need more than 64 bits, the tree
// is walked instead, O(depth).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "mpi_ext/reorder/place_tree.h"

namespace strata::mpix {

/// Immutable; refers to the tree.
class Distance {
 public:
  explicit Distance(const PlaceTree& tree);

  /// Edges of the machine's tree between two vertices.
  int operator()(int a, int b) const {
    if (way_.empty()) return walk(a, b);
    const std::uint64_t differ = way_[a] ^ way_[b];
    if (differ == 0) return 0;
    return depth_[a] + depth_[b] - twice_parting_[std::bit_width(differ)];
  }

 private:
  int walk(int a, int b) const;

  const PlaceTree& tree_;
  const std::vector<int>& depth_;
  std::vector<std::uint64_t> way_;  // by vertex; empty where it does not fit
  int twice_parting_[65] = {};      // by the width of what differs: twice the depth of the lowest common ancestor
};

/// By vertex, its number among its parent's children, from 1; 0 for the root.
std::vector<int> turns(const PlaceTree& tree);

}  // namespace strata::mpix
