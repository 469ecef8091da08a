// SPDX-License-Identifier: LGPL-2.1-only
// The graph that the mappings divide: vertices are ranks, or groups of them; an edge has the bytes that its ends
// exchange.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "records/matrix/pattern.h"

namespace strata::mpix {

/// Undirected: each edge is in the rows of both ends. No edge from a vertex to itself.
struct AffinityGraph {
  std::vector<long> first = {0};
  std::vector<int> peer;
  std::vector<double> bytes;
  std::vector<int> weight;  // by vertex: how many ranks it stands for

  int size() const { return static_cast<int>(weight.size()); }
  std::span<const int> peers(int v) const { return std::span(peer).subspan(first[v], first[v + 1] - first[v]); }
  std::span<const double> bytes_of(int v) const { return std::span(bytes).subspan(first[v], first[v + 1] - first[v]); }
};

/// Of the ranks of a pattern that is symmetric(). Of each rank at least its `most` heaviest edges are kept. Of what is
/// left out the mean over all pairs is taken off those kept: equal bytes between all pairs cost the same under every
/// mapping. So a dense matrix becomes what stands out from its background, and a sparse one is kept as it is.
/// O(entries).
AffinityGraph affinity_graph(const Pattern& symmetric, int most);

/// Of these vertices alone, renumbered in their order. `number` is scratch space of the graph's size, all -1, and left
/// so. O(edges of the vertices).
AffinityGraph induced(const AffinityGraph& graph, const std::vector<int>& vertices, std::vector<int>& number);
/// With scratch space of its own.
AffinityGraph induced(const AffinityGraph& graph, const std::vector<int>& vertices);

/// The graph whose vertex c stands for all v with group[v] = c < count. O(vertices + edges).
AffinityGraph contracted(const AffinityGraph& graph, const std::vector<int>& group, int count);

/// Numbers that are the same everywhere, from a seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// Below `bound`.
  int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }
  /// 0 .. size - 1 in any order.
  std::vector<int> permutation(int size);

 private:
  std::uint64_t next();

  std::uint64_t state_;
};

}  // namespace strata::mpix
