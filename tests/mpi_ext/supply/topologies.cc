// SPDX-License-Identifier: LGPL-2.1-only
// Process graphs and meshes: neighbours, weights, and what their neighbours send.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/supply/graphs.h"
#include "tests/mpi_ext/supply/tests.h"

namespace strata::mpix::testing {
namespace {

// If several edges lead from one process to another, their blocks arrive in the order in which they are sent.
std::vector<int> blocks_in_order(const Edges& edges, const std::vector<int>& in, int me) {
  std::map<int, int> seen;
  std::vector<int> blocks;
  for (int source : in) {
    const int occurrence = seen[source]++;
    int block = 0, nth = 0;
    for (const Edge& e : edges) {
      if (e.from != source) continue;
      if (e.to == me && nth++ == occurrence) blocks.push_back(block);
      ++block;
    }
  }
  return blocks;
}

}  // namespace

void check_adjacent(Checks& t, MPI_Comm comm, const Edges& edges, bool weighted, int reorder) {
  MPI_Comm graph = adjacent(t, comm, edges, weighted, reorder);
  CHECK_EQ(size_of(comm), size_of(graph));
  check_kind(t, MPI_DIST_GRAPH, graph);
  if (reorder == 0) CHECK_EQ(members_of(comm), members_of(graph));
  const int me = rank_in(graph);
  const Lists expected = lists_of(edges, me), got = lists_from_mpi(t, graph, weighted);
  CHECK_EQ(expected.sources, got.sources);
  CHECK_EQ(expected.destinations, got.destinations);
  if (weighted) {
    CHECK_EQ(expected.source_weights, got.source_weights);
    CHECK_EQ(expected.destination_weights, got.destination_weights);
  }
  check_exchanges(t, graph, got.sources, got.destinations, blocks_in_order(edges, got.sources, me));
  MPI_Comm again = MPI_COMM_NULL;
  MPI_Comm_dup(graph, &again);
  check_kind(t, MPI_DIST_GRAPH, again);
  CHECK_EQ(expected.sources, lists_from_mpi(t, again, weighted).sources);
  MPI_Comm_free(&again);
  MPI_Comm_free(&graph);
}

void check_named_elsewhere(Checks& t, MPI_Comm comm, bool by_one) {
  const int size = size_of(comm), me = rank_in(comm);
  const Edges edges = uneven_graph(size);
  std::vector<int> sources, degrees, destinations, weights;
  for (const Edge& e : edges) {
    if (by_one ? me != size - 1 : (e.from + 2) % size != me) continue;
    sources.push_back(e.from);
    degrees.push_back(1);
    destinations.push_back(e.to);
    weights.push_back(e.weight);
  }
  MPI_Comm graph = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_Dist_graph_create(comm, static_cast<int>(sources.size()), sources.data(), degrees.data(),
                                              destinations.data(), sources.empty() ? MPI_WEIGHTS_EMPTY : weights.data(),
                                              MPI_INFO_NULL, 0, &graph));
  Lists expected = lists_of(edges, me), got = lists_from_mpi(t, graph, true);
  const auto pairs = [](const std::vector<int>& ranks, const std::vector<int>& w) {
    std::vector<int> sorted;
    for (size_t i = 0; i < ranks.size(); ++i) sorted.push_back(ranks[i] * 100 + w[i]);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  CHECK_EQ(pairs(expected.sources, expected.source_weights), pairs(got.sources, got.source_weights));
  CHECK_EQ(pairs(expected.destinations, expected.destination_weights),
           pairs(got.destinations, got.destination_weights));
  std::vector<int> gathered(got.sources.size() + 1);
  CHECK_EQ(MPI_SUCCESS, MPI_Neighbor_allgather(&me, 1, MPI_INT, gathered.data(), 1, MPI_INT, graph));
  gathered.resize(got.sources.size());
  CHECK_EQ(got.sources, gathered);
  // The weight of an edge, sent along it, must be that at its other end.
  std::vector<int> arrived(got.sources.size() + 1);
  got.destination_weights.push_back(0);
  CHECK_EQ(MPI_SUCCESS,
           MPI_Neighbor_alltoall(got.destination_weights.data(), 1, MPI_INT, arrived.data(), 1, MPI_INT, graph));
  arrived.resize(got.sources.size());
  CHECK_EQ(got.source_weights, arrived);
  MPI_Comm_free(&graph);
}

void check_graph(Checks& t, MPI_Comm comm) {
  const int size = size_of(comm), nodes = size > 1 ? size - 1 : 1;
  std::vector<int> index, edges;
  for (int v = 0; v < nodes; ++v) {
    if (v > 0) edges.push_back(0);
    for (int r = 1; v == 0 && r < nodes; ++r) edges.push_back(r);
    index.push_back(static_cast<int>(edges.size()));
  }
  edges.push_back(-1);  // not an edge: makes the pointer valid
  const int number = static_cast<int>(edges.size()) - 1;
  MPI_Comm graph = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_Graph_create(comm, nodes, index.data(), edges.data(), 0, &graph));
  CHECK_EQ(rank_in(comm) < nodes, graph != MPI_COMM_NULL);
  if (graph == MPI_COMM_NULL) return;
  check_kind(t, MPI_GRAPH, graph);
  int told_nodes = 0, told_edges = 0, degree = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Graphdims_get(graph, &told_nodes, &told_edges));
  CHECK_EQ(nodes, told_nodes);
  CHECK_EQ(number, told_edges);
  std::vector<int> told_index(nodes), told_list(number + 1, -1);
  CHECK_EQ(MPI_SUCCESS, MPI_Graph_get(graph, nodes, number, told_index.data(), told_list.data()));
  CHECK_EQ(index, told_index);
  CHECK_EQ(edges, told_list);
  const int me = rank_in(graph);
  CHECK_EQ(MPI_SUCCESS, MPI_Graph_neighbors_count(graph, me, &degree));
  std::vector<int> neighbors(degree);
  CHECK_EQ(MPI_SUCCESS, MPI_Graph_neighbors(graph, me, degree, neighbors.data()));
  const int first = me == 0 ? 0 : index[me - 1];
  CHECK_EQ(std::vector<int>(edges.begin() + first, edges.begin() + index[me]), neighbors);
  std::vector<int> blocks;
  for (int n : neighbors) blocks.push_back(n == 0 ? me - 1 : 0);
  check_exchanges(t, graph, neighbors, neighbors, blocks);
  MPI_Comm_free(&graph);
}

void check_mesh(Checks& t, MPI_Comm comm) {
  std::array<int, 2> dims{}, periods = {0, kKeepsOrder ? 1 : 0};
  MPI_Dims_create(size_of(comm), 2, dims.data());
  MPI_Comm mesh = MPI_COMM_NULL;
  MPI_Cart_create(comm, 2, dims.data(), periods.data(), 0, &mesh);
  check_kind(t, MPI_CART, mesh);
  std::vector<int> neighbors, blocks;
  for (int d = 0; d < 2; ++d) {
    int before = 0, behind = 0;
    MPI_Cart_shift(mesh, d, 1, &before, &behind);
    neighbors.insert(neighbors.end(), {before, behind});
    blocks.insert(blocks.end(), {2 * d + 1, 2 * d});  // the block that it sends to this rank
  }
  check_exchanges(t, mesh, neighbors, neighbors, blocks);
  MPI_Comm_free(&mesh);
}

void check_reorder(Checks& t, MPI_Comm comm, const std::vector<int>& nodes) {
  const int size = size_of(comm), half = size / 2;
  Edges edges;
  for (int r = 0; r < half; ++r) {
    edges.push_back({r, r + half, 1000});
    edges.push_back({r + half, r, 1000});
    edges.push_back({r, (r + 1) % half, 1});
    edges.push_back({(r + 1) % half, r, 1});
  }
  check_adjacent(t, comm, edges, true, 1);
  MPI_Comm graph = adjacent(t, comm, edges, true, 1);
  const Ranks now = members_of(graph), old = members_of(comm);
  Ranks sorted = now;
  std::sort(sorted.begin(), sorted.end());
  CHECK_EQ(old, sorted);
  const auto across = [&](const Ranks& members) {
    long bytes = 0;
    for (const Edge& e : edges) bytes += nodes[members[e.from]] != nodes[members[e.to]] ? e.weight : 0;
    return bytes;
  };
  CHECK_TRUE(across(now) <= across(old));
#ifdef SMPI_H
  CHECK_TRUE(across(now) < across(old));
#endif
  MPI_Comm_free(&graph);
}

}  // namespace strata::mpix::testing
