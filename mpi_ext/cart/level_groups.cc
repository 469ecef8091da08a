// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/level_groups.h"

namespace strata::mpix {

std::vector<int> group_sizes(const std::vector<int>& group) {
  std::vector<int> sizes;
  for (int g : group) {
    if (g >= static_cast<int>(sizes.size())) sizes.resize(g + 1, 0);
    ++sizes[g];
  }
  return sizes;
}

Places packed_places(const std::vector<int>& node_sizes) {
  PlaceLevel nodes{"Machine", {}};
  for (size_t n = 0; n < node_sizes.size(); ++n) {
    nodes.group.insert(nodes.group.end(), node_sizes[n], static_cast<int>(n));
  }
  return {{std::move(nodes)}, 0};
}

}  // namespace strata::mpix
