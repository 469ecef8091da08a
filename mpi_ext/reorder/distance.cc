// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/distance.h"

#include <algorithm>

namespace strata::mpix {

std::vector<int> turns(const PlaceTree& tree) {
  std::vector<int> turn(tree.parent.size(), 0), children(tree.parent.size(), 0);
  for (size_t v = 1; v < tree.parent.size(); ++v) turn[v] = ++children[tree.parent[v]];
  return turn;
}

Distance::Distance(const PlaceTree& tree) : tree_(tree), depth_(tree.depth) {
  const size_t vertices = tree.parent.size();
  if (vertices == 0) return;
  const std::vector<int> turn = turns(tree);
  // A turn is a vertex's number among its siblings. The turns at vertices of one depth share a bit field; the root's
  // field has the highest bits.
  std::vector<int> widest(*std::max_element(tree.depth.begin(), tree.depth.end()) + 1, 0);
  for (size_t v = 1; v < vertices; ++v) {
    int& width = widest[tree.depth[tree.parent[v]]];
    width = std::max(width, static_cast<int>(std::bit_width(static_cast<unsigned>(turn[v]))));
  }
  std::vector<int> shift(widest.size(), 0);
  int bits = 0;
  for (int depth = static_cast<int>(widest.size()) - 1; depth >= 0; --depth) {
    shift[depth] = bits;
    bits += widest[depth];
    if (bits > 64) return;
    for (int width = shift[depth] + 1; width <= bits; ++width) twice_parting_[width] = 2 * depth;
  }
  way_.assign(vertices, 0);
  for (size_t v = 1; v < vertices; ++v) {
    const int parent = tree.parent[v];
    way_[v] = way_[parent] | static_cast<std::uint64_t>(turn[v]) << shift[tree.depth[parent]];
  }
}

int Distance::walk(int a, int b) const {
  const int both = depth_[a] + depth_[b];
  while (a != b) {
    int& lower = a > b ? a : b;  // in preorder, the larger one is not an ancestor of the other
    lower = tree_.parent[lower];
  }
  return both - 2 * depth_[a];
}

}  // namespace strata::mpix
