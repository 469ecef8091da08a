// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/graph.h"

#include <algorithm>
#include <cstddef>

namespace strata::mpix {

std::vector<EdgeEnd> edge_ends(const std::vector<int>& sources, const std::vector<int>& degrees,
                               const std::vector<int>& destinations, const std::vector<int>& weights) {
  std::vector<EdgeEnd> ends;
  std::size_t edge = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (int d = 0; d < degrees[i]; ++d, ++edge) {
      const int weight = weights.empty() ? 1 : weights[edge];
      ends.push_back({.vertex = sources[i], .other = destinations[edge], .weight = weight, .out = 1});
      ends.push_back({.vertex = destinations[edge], .other = sources[i], .weight = weight, .out = 0});
    }
  }
  return ends;
}

Vertex vertex_of(const std::vector<EdgeEnd>& ends) {
  Vertex vertex;
  for (const EdgeEnd& e : ends) (e.out != 0 ? vertex.out : vertex.in).push_back({e.other, e.weight});
  return vertex;
}

std::vector<int> Graph::neighbors(int vertex) const {
  const int first = vertex == 0 ? 0 : index[static_cast<std::size_t>(vertex) - 1];
  return {edges.begin() + first, edges.begin() + index[vertex]};
}

bool Graph::valid() const {
  int last = 0;
  for (int end : index) {
    if (end < last) return false;
    last = end;
  }
  return last == static_cast<int>(edges.size()) &&
         std::all_of(edges.begin(), edges.end(), [this](int e) { return e >= 0 && e < nodes(); });
}

}  // namespace strata::mpix
