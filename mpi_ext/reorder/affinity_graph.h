// SPDX-License-Identifier: LGPL-2.1-only
// The graph that mappings divide. Vertices are ranks, or groups of ranks; the weight of an edge is the bytes that its
// ends exchange.
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
  std::vector<int> weight;  // by vertex: the number of ranks that it represents

  int size() const { return static_cast<int>(weight.size()); }
  std::span<const int> peers(int v) const { return std::span(peer).subspan(first[v], first[v + 1] - first[v]); }
  std::span<const double> bytes_of(int v) const { return std::span(bytes).subspan(first[v], first[v + 1] - first[v]); }
};

/// The graph of the ranks of a symmetric pattern. Keeps at least the `most` heaviest edges of each rank, and subtracts
/// the mean of the others over all pairs from those kept: equal bytes between all pairs cost the same in every mapping.
/// So a dense matrix is reduced to the entries that exceed its background, and a sparse one is kept as it is.
/// O(entries).
AffinityGraph affinity_graph(const Pattern& symmetric, int most);

/// The subgraph of these vertices, renumbered in their order. `number` is scratch space of the graph's size with all
/// elements -1, also on return. O(edges of the vertices).
AffinityGraph induced(const AffinityGraph& graph, const std::vector<int>& vertices, std::vector<int>& number);
/// The same, with scratch space of its own.
AffinityGraph induced(const AffinityGraph& graph, const std::vector<int>& vertices);

/// The graph in which vertex c represents all v with group[v] = c < count. O(vertices + edges).
AffinityGraph contracted(const AffinityGraph& graph, const std::vector<int>& group, int count);

/// Pseudorandom numbers from a seed, the same on every system.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// Below `bound`.
  int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }
  /// A random permutation of 0 .. size - 1.
  std::vector<int> permutation(int size);

 private:
  std::uint64_t next();

  std::uint64_t state_;
};

}  // namespace strata::mpix
