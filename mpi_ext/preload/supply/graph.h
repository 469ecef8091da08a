// SPDX-License-Identifier: LGPL-2.1-only
// Process graphs as values (MPI 4.0, Section 8.5): each process's neighbours, in the order of the neighborhood
// collectives.
//
// A distributed graph is given by its edges. MPI_Dist_graph_create_adjacent takes the edges of the caller. With
// MPI_Dist_graph_create any process may name any edge, and both ends must learn of it: the edge is sent to its source
// and to its destination. The order of the neighbours is up to the implementation. Here it is by the rank that named
// the edge, and then in the order in which that rank named it. Both ends of parallel edges then see them in the same
// order, as the messages of a neighborhood collective require.
#pragma once

#include <vector>

namespace strata::mpix {

/// A neighbour's rank, and the weight of the edge to it.
struct Neighbor {
  int rank = 0;
  int weight = 1;
  bool operator==(const Neighbor&) const = default;
};

/// One vertex of a distributed graph. An edge may occur more than once, and may lead to the vertex itself.
struct Vertex {
  std::vector<Neighbor> in, out;
  bool operator==(const Vertex&) const = default;
};

/// One end of an edge, in the form in which it is sent to the process at that end.
struct EdgeEnd {
  int vertex = 0;  // the vertex at this end
  int other = 0;   // its neighbour, at the other end
  int weight = 1;
  int out = 0;  // 1: the vertex is the source
};

/// The two ends of each edge in the arguments of MPI_Dist_graph_create: sources[i] has degrees[i] destinations, which
/// are consecutive in `destinations`, and so are their `weights` (empty: all 1).
std::vector<EdgeEnd> edge_ends(const std::vector<int>& sources, const std::vector<int>& degrees,
                               const std::vector<int>& destinations, const std::vector<int>& weights);

/// The vertex to which all these ends belong, with its edges in the given order.
Vertex vertex_of(const std::vector<EdgeEnd>& ends);

/// A graph of MPI_Graph_create: the neighbours of vertex i are edges[index[i - 1]] to edges[index[i] - 1].
struct Graph {
  std::vector<int> index, edges;

  int nodes() const { return static_cast<int>(index.size()); }
  std::vector<int> neighbors(int vertex) const;
  /// Whether `index` is non-decreasing and ends with the number of edges, and all edges lead to vertices.
  bool valid() const;
};

}  // namespace strata::mpix
