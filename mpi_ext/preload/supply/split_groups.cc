// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/split_groups.h"

#include <algorithm>
#include <cstddef>

namespace strata::mpix {

std::map<int, std::vector<int>> split_groups(const std::vector<ColorKey>& by_rank, int undefined) {
  std::map<int, std::vector<int>> groups;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    if (by_rank[rank].color != undefined) groups[by_rank[rank].color].push_back(static_cast<int>(rank));
  }
  for (auto& [color, ranks] : groups) {
    std::stable_sort(ranks.begin(), ranks.end(), [&](int a, int b) { return by_rank[a].key < by_rank[b].key; });
  }
  return groups;
}

}  // namespace strata::mpix
