// SPDX-License-Identifier: LGPL-2.1-only
// A union-find structure: sets of numbers are joined until those in question are known to be in the same set. It finds,
// for example, which switches are connected by cables. With 0, 1, 2 and the cable 0-1, find(0) == find(1), and 2 is
// alone.
//
// Joining and finding take O(log n) on average (Tarjan and van Leeuwen, Worst-case analysis of set union algorithms,
// JACM 31, 1984: path halving without ranks).
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace strata {

class DisjointSets {
 public:
  /// 0 to `size` - 1, each in a set of its own.
  explicit DisjointSets(std::size_t size) : above_(size) { std::iota(above_.begin(), above_.end(), 0); }

  /// The member that represents the set of `i`.
  int find(int i) const {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }
  void join(int a, int b) { above_[find(a)] = find(b); }
  bool together(int a, int b) const { return find(a) == find(b); }

 private:
  mutable std::vector<int> above_;  // paths are shortened by every search
};

}  // namespace strata
