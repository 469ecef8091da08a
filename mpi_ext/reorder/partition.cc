// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/partition.h"

#include <cstdlib>
#include <numeric>
#include <span>

namespace strata::mpix {
namespace {

// Divides `vertices`, which form `graph`, and sets their numbers in `part`, beginning with `first_part`.
void divide(const AffinityGraph& graph, const std::vector<int>& vertices, std::span<const int> sizes, int first_part,
            int tries, Cut cut, Random& random, std::vector<int>& part) {
  if (vertices.empty()) return;
  if (sizes.size() == 1) {
    for (int v : vertices) part[v] = first_part;
    return;
  }
  // Halves of sizes as equal as the order of the parts allows.
  const int total = static_cast<int>(vertices.size());
  size_t count = 1;
  int size0 = sizes[0];
  while (count + 1 < sizes.size() && std::abs(total - 2 * (size0 + sizes[count])) <= std::abs(total - 2 * size0)) {
    size0 += sizes[count++];
  }
  const bool trivial = size0 == 0 || size0 == total;
  const std::vector<char> side =
      trivial ? std::vector<char>(total, size0 == 0 ? 1 : 0) : bisect(graph, size0, tries, random, cut);
  for (char half : {0, 1}) {
    std::vector<int> local, its;
    for (int i = 0; i < total; ++i) {
      if (side[i] != half) continue;
      local.push_back(i);
      its.push_back(vertices[i]);
    }
    const std::span<const int> its_sizes = half == 0 ? sizes.first(count) : sizes.subspan(count);
    const int its_first = first_part + (half == 0 ? 0 : static_cast<int>(count));
    // A part that is not divided further does not need its graph.
    divide(its_sizes.size() == 1 ? AffinityGraph() : induced(graph, local), its, its_sizes, its_first, tries, cut,
           random, part);
  }
}

}  // namespace

std::vector<int> partition(const AffinityGraph& graph, const std::vector<int>& sizes, int tries, Random& random,
                           Cut cut) {
  std::vector<int> part(graph.size()), vertices(graph.size());
  std::iota(vertices.begin(), vertices.end(), 0);
  divide(graph, vertices, sizes, 0, tries, cut, random, part);
  return part;
}

std::vector<std::vector<int>> members_of(const std::vector<int>& part, const std::vector<int>& sizes) {
  std::vector<std::vector<int>> members(sizes.size());
  for (size_t p = 0; p < sizes.size(); ++p) members[p].reserve(sizes[p]);
  for (size_t v = 0; v < part.size(); ++v) members[part[v]].push_back(static_cast<int>(v));
  return members;
}

}  // namespace strata::mpix
