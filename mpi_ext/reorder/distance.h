// SPDX-License-Identifier: LGPL-2.1-only
// Hops between vertices of a place tree in a few instructions, for the searches that ask for millions of them.
//
// The way from the root to a vertex is written into one word, the turn taken at each depth into bits of its own: the
// highest bit in which two ways differ tells the depth at which they part. A tree whose turns need more than 64 bits is
// walked instead, O(depth).
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
