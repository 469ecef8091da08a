// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/place_tree.h"

#include <algorithm>

namespace strata::mpix {

// In preorder, the lowest common ancestors of neighbours are those of all pairs. So the result consists of the places
// and these ancestors.
PlaceTree place_tree(const Topology& topology, const std::vector<int>& vertex) {
  const auto sort_unique = [](std::vector<int>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  std::vector<int> kept = vertex;
  sort_unique(kept);
  for (size_t i = 0, places = kept.size(); i + 1 < places; ++i) {
    kept.push_back(topology.lowest_common_ancestor(kept[i], kept[i + 1]));
  }
  sort_unique(kept);

  PlaceTree tree;
  std::vector<int> above;  // the path to the current vertex
  for (size_t i = 0; i < kept.size(); ++i) {
    while (!above.empty() && topology.subtree_end(kept[above.back()]) <= kept[i]) above.pop_back();
    tree.parent.push_back(above.empty() ? -1 : above.back());
    tree.depth.push_back(topology.depth(kept[i]));
    above.push_back(static_cast<int>(i));
  }
  for (int v : vertex) {
    tree.place.push_back(static_cast<int>(std::lower_bound(kept.begin(), kept.end(), v) - kept.begin()));
    tree.node.push_back(topology.node(v));
  }
  return tree;
}

int hops(const PlaceTree& tree, int a, int b) {
  int above_a = tree.place[a], above_b = tree.place[b];
  while (above_a != above_b) {
    // In preorder, the larger one is not an ancestor of the other.
    int& lower = above_a > above_b ? above_a : above_b;
    lower = tree.parent[lower];
  }
  return tree.depth[tree.place[a]] + tree.depth[tree.place[b]] - 2 * tree.depth[above_a];
}

}  // namespace strata::mpix
