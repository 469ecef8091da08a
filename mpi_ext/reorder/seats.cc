// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/seats.h"

#include <algorithm>
#include <numeric>

namespace strata::mpix {

Seats::Seats(const PlaceTree& tree) : process_(tree.place.size()) {
  const size_t vertices = tree.parent.size();
  std::iota(process_.begin(), process_.end(), 0);
  std::stable_sort(process_.begin(), process_.end(), [&](int a, int b) { return tree.place[a] < tree.place[b]; });
  own_.assign(vertices, 0);
  for (int place : tree.place) ++own_[place];
  first_.assign(vertices, 0);
  std::exclusive_scan(own_.begin(), own_.end(), first_.begin(), 0);
  end_.assign(vertices, 0);
  first_child_.assign(vertices + 1, 0);
  for (size_t v = vertices; v-- > 0;) {
    end_[v] = std::max(end_[v], first_[v] + own_[v]);
    if (v == 0) break;
    end_[tree.parent[v]] = std::max(end_[tree.parent[v]], end_[v]);
    ++first_child_[tree.parent[v] + 1];
  }
  std::partial_sum(first_child_.begin(), first_child_.end(), first_child_.begin());
  children_.resize(first_child_.back());
  std::vector<int> next(first_child_.begin(), first_child_.end() - 1);
  for (size_t v = 1; v < vertices; ++v) children_[next[tree.parent[v]]++] = static_cast<int>(v);
}

}  // namespace strata::mpix
