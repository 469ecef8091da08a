// SPDX-License-Identifier: LGPL-2.1-only
// Process graphs as values (MPI 4.0, Section 8.5): who is whose neighbour, in the order of the neighborhood
// collectives.
//
// A distributed graph is given by its edges. MPI_Dist_graph_create_adjacent names those of the caller; with
// MPI_Dist_graph_create any process may name any edge, and both ends must learn of it: the edge is sent to its source
// and to its destination. The order of the neighbours is then the implementation's choice. Ours: by the rank that named
// the edge, and as it named them, so both ends of two parallel edges see them in one order, which is what the messages
// of a neighborhood collective need.
#pragma once

#include <vector>

namespace strata::mpix {

/// A neighbour by its rank, and the weight of the edge between.
struct Neighbor {
  int rank = 0;
  int weight = 1;
  bool operator==(const Neighbor&) const = default;
};

/// One vertex of a distributed graph. Edges may be there more than once, and lead to the vertex itself.
struct Vertex {
  std::vector<Neighbor> in, out;
  bool operator==(const Vertex&) const = default;
};

/// One end of an edge, as it is sent to the process there.
struct EdgeEnd {
  int vertex = 0;  // that it concerns
  int other = 0;   // its neighbour
  int weight = 1;
  int out = 0;  // 1: the vertex is the source
};

/// The two ends of each edge that MPI_Dist_graph_create's arguments name: sources[i] has degrees[i] destinations, which
/// follow each other in `destinations`, as their `weights` do (empty: all 1).
std::vector<EdgeEnd> edge_ends(const std::vector<int>& sources, const std::vector<int>& degrees,
                               const std::vector<int>& destinations, const std::vector<int>& weights);

/// The vertex that these ends are all of, in their order.
Vertex vertex_of(const std::vector<EdgeEnd>& ends);

/// A graph of MPI_Graph_create: the neighbours of vertex i are edges[index[i - 1]] to edges[index[i] - 1].
struct Graph {
  std::vector<int> index, edges;

  int nodes() const { return static_cast<int>(index.size()); }
  std::vector<int> neighbors(int vertex) const;
  /// Whether `index` does not fall, ends with the number of edges, and all edges lead to vertices.
  bool valid() const;
};

}  // namespace strata::mpix
