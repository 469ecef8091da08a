// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/affinity_graph.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace strata::mpix {
namespace {

// SplitMix64's mixer: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA'14.
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// Edges with less than this part of the bytes are rounding.
constexpr double kRounding = 1e-9;

// An edge's bytes, and a tie-breaker; equal from both ends.
using Edge = std::pair<double, std::uint64_t>;
Edge edge(int a, int b, double bytes) {
  return {bytes, mixed(static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b)))};
}

}  // namespace

AffinityGraph affinity_graph(const Pattern& symmetric, int most) {
  // By rank, the last of its own edges that is kept. Ties are broken pseudo-randomly: if the first peers were chosen,
  // all ranks would have the same ones.
  const int order = symmetric.order();
  std::vector<Edge> last(order);
  std::vector<Edge> row;
  for (int rank = 0; rank < order; ++rank) {
    const std::span<const int> peers = symmetric.peers(rank);
    if (static_cast<int>(peers.size()) <= most) continue;
    row.clear();
    for (size_t i = 0; i < peers.size(); ++i) row.push_back(edge(rank, peers[i], symmetric.bytes(rank)[i]));
    std::nth_element(row.begin(), row.begin() + (most - 1), row.end(), std::greater<>());
    last[rank] = row[most - 1];
  }

  AffinityGraph graph;
  graph.weight.assign(order, 1);
  double left_out = 0;
  for (int rank = 0; rank < order; ++rank) {
    const std::span<const int> peers = symmetric.peers(rank);
    const std::span<const double> bytes = symmetric.bytes(rank);
    for (size_t i = 0; i < peers.size(); ++i) {
      const Edge it = edge(rank, peers[i], bytes[i]);
      if (it >= last[rank] || it >= last[peers[i]]) {
        graph.peer.push_back(peers[i]);
        graph.bytes.push_back(bytes[i]);
      } else {
        left_out += bytes[i];
      }
    }
    graph.first.push_back(static_cast<long>(graph.peer.size()));
  }
  if (left_out == 0) return graph;

  const double pairs = static_cast<double>(order) * (order - 1) - static_cast<double>(graph.peer.size());
  const double background = left_out / pairs;
  long end = 0;
  for (int rank = 0; rank < order; ++rank) {
    const long begin = std::exchange(graph.first[rank], end);
    for (long e = begin; e < graph.first[rank + 1]; ++e) {
      if (graph.bytes[e] <= background * (1 + kRounding)) continue;
      graph.peer[end] = graph.peer[e];
      graph.bytes[end++] = graph.bytes[e] - background;
    }
  }
  graph.first[order] = end;
  graph.peer.resize(end);
  graph.bytes.resize(end);
  return graph;
}

AffinityGraph induced(const AffinityGraph& graph, const std::vector<int>& vertices) {
  std::vector<int> number(graph.size(), -1);
  return induced(graph, vertices, number);
}

AffinityGraph induced(const AffinityGraph& graph, const std::vector<int>& vertices, std::vector<int>& number) {
  AffinityGraph part;
  for (size_t i = 0; i < vertices.size(); ++i) number[vertices[i]] = static_cast<int>(i);
  for (int v : vertices) {
    for (long e = graph.first[v]; e < graph.first[v + 1]; ++e) {
      const int peer = number[graph.peer[e]];
      if (peer < 0) continue;
      part.peer.push_back(peer);
      part.bytes.push_back(graph.bytes[e]);
    }
    part.first.push_back(static_cast<long>(part.peer.size()));
    part.weight.push_back(graph.weight[v]);
  }
  for (int v : vertices) number[v] = -1;
  return part;
}

AffinityGraph contracted(const AffinityGraph& graph, const std::vector<int>& group, int count) {
  // The members of each group.
  std::vector<int> begin(count + 1, 0), member(graph.size());
  for (int c : group) ++begin[c + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  {
    std::vector<int> next(begin.begin(), begin.end() - 1);
    for (int v = 0; v < graph.size(); ++v) member[next[group[v]]++] = v;
  }
  AffinityGraph coarse;
  coarse.weight.assign(count, 0);
  std::vector<long> at(count, -1);  // position of the current row's edge to a group
  for (int c = 0; c < count; ++c) {
    const long row = coarse.first.back();
    for (int m = begin[c]; m < begin[c + 1]; ++m) {
      const int v = member[m];
      coarse.weight[c] += graph.weight[v];
      for (long e = graph.first[v]; e < graph.first[v + 1]; ++e) {
        const int other = group[graph.peer[e]];
        if (other == c) continue;
        if (at[other] < row) {
          at[other] = static_cast<long>(coarse.peer.size());
          coarse.peer.push_back(other);
          coarse.bytes.push_back(0);
        }
        coarse.bytes[at[other]] += graph.bytes[e];
      }
    }
    coarse.first.push_back(static_cast<long>(coarse.peer.size()));
  }
  return coarse;
}

std::vector<int> Random::permutation(int size) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 0);
  for (int i = size - 1; i > 0; --i) std::swap(values[i], values[below(i + 1)]);
  return values;
}

std::uint64_t Random::next() { return mixed(state_ += 0x9E3779B97F4A7C15); }

}  // namespace strata::mpix
