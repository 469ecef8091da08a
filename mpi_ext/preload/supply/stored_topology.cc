// SPDX-License-Identifier: LGPL-2.1-only
// MPI's graph topologies (MPI 4.0, Section 8.5), which SMPI lacks.
//
// With `reorder`, ranks are placed according to the graph: the weights are taken as the bytes of a communication
// matrix, and MPIX_Comm_reorder_rows maps it onto the machine, like Open MPI's treematch component (G. Mercier, E.
// Jeannot, "Improving MPI Applications Performance on Multicore Clusters with Rank Reordering", EuroMPI'11). The
// process with rank r then is vertex r, whose edges were specified by the process of old rank r, so that process sends
// them.
//
// Messages on p processes: MPI_Dist_graph_create_adjacent only makes a communicator. MPI_Dist_graph_create first
// distributes the ends of edges: an MPI_Reduce_scatter_block of 8 bytes per rank, and a message from each process to
// each process that it has named. `reorder` adds the messages in mpi_ext/reorder/reorder.cc, and two messages from and
// to each process.
#include "mpi_ext/preload/supply/stored_topology.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "mpi_ext/context/context.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/group_actors.h"
#include "mpi_ext/preload/supply/meeting.h"
#include "mpi_ext/preload/supply/own_constants.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

const KnownTopology* topology_of(MPI_Comm comm) { return TopologyAttribute::find(comm); }

namespace {

Neighborhood in_order(std::vector<int> in, std::vector<int> out) {
  Neighborhood n{.in = std::move(in), .out = std::move(out), .arrivals = {}};
  n.arrivals.resize(n.in.size());
  std::iota(n.arrivals.begin(), n.arrivals.end(), 0);
  return n;
}

std::vector<int> ranks_of(const std::vector<Neighbor>& neighbors) {
  std::vector<int> ranks;
  for (const Neighbor& n : neighbors) ranks.push_back(n.rank);
  return ranks;
}

Neighborhood neighborhood(MPI_Comm comm, const Cartesian&) {
  int ndims = 0;
  check(PMPI_Cartdim_get(comm, &ndims));
  std::vector<int> ranks;
  for (int d = 0; d < ndims; ++d) {
    std::array<int, 2> beside{};
    check(PMPI_Cart_shift(comm, d, 1, &beside[0], &beside[1]));
    ranks.insert(ranks.end(), beside.begin(), beside.end());
  }
  Neighborhood n = in_order(ranks, ranks);
  for (int& arrival : n.arrivals) arrival ^= 1;
  return n;
}

Neighborhood neighborhood(MPI_Comm, const std::shared_ptr<const DistributedGraph>& graph) {
  return in_order(ranks_of(graph->mine.in), ranks_of(graph->mine.out));
}

Neighborhood neighborhood(MPI_Comm comm, const SharedGraph& graph) {
  const std::vector<int> ranks = graph->neighbors(rank_in(comm));
  return in_order(ranks, ranks);
}

constexpr int kHandOver = 0;  // tags, on a communicator that the program has not seen yet
constexpr int kEnds = 1;

// Sends `data` to `dest`, and receives data of unknown length from `source`.
std::vector<int> trade(const std::vector<int>& data, int dest, int source, MPI_Comm comm) {
  int length = static_cast<int>(data.size()), coming = 0;
  check(STRATA_BEHIND(Sendrecv)(&length, 1, MPI_INT, dest, kHandOver, &coming, 1, MPI_INT, source, kHandOver, comm,
                                MPI_STATUS_IGNORE));
  std::vector<int> received(coming);
  check(STRATA_BEHIND(Sendrecv)(data.data(), length, MPI_INT, dest, kHandOver, received.data(), coming, MPI_INT, source,
                                kHandOver, comm, MPI_STATUS_IGNORE));
  return received;
}

std::vector<int> packed(const Vertex& v) {
  std::vector<int> numbers = {static_cast<int>(v.in.size())};
  for (const auto* list : {&v.in, &v.out}) {
    for (const Neighbor& n : *list) numbers.insert(numbers.end(), {n.rank, n.weight});
  }
  return numbers;
}

Vertex unpacked(const std::vector<int>& numbers) {
  Vertex v;
  for (std::size_t i = 1; i + 1 < numbers.size(); i += 2) {
    auto& list = static_cast<int>(v.in.size()) < numbers[0] ? v.in : v.out;
    list.push_back({numbers[i], numbers[i + 1]});
  }
  return v;
}

// A communicator of the same processes, which returns errors until it is given to the program.
OwnComm copy_of(MPI_Comm comm) { return returning_errors(private_copy(comm)); }

// The same processes in an order that suits the edges; in the old order if no place is known. Collective.
OwnComm reordered(OwnComm copy, const std::vector<Neighbor>& out) {
  std::vector<int> peers;
  std::vector<unsigned long> bytes;
  for (const Neighbor& n : out) {
    peers.push_back(n.rank);
    bytes.push_back(static_cast<unsigned long>(n.weight));
  }
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPIX_Comm_reorder_rows(copy.get(), static_cast<int>(peers.size()), peers.data(), bytes.data(),
                                           MPI_INFO_NULL, &made);
  return error == MPI_SUCCESS ? returning_errors(made) : std::move(copy);
}

// The calling process's vertex in `comm`. Until now, the process of old rank r had vertex r.
Vertex handed_over(MPI_Comm comm, int old_rank, const Vertex& vertex) {
  std::vector<int> new_rank(size_of(comm));
  if (MPIX_Comm_get_reordering(comm, new_rank.data()) != MPI_SUCCESS) return vertex;  // the order has not changed
  const int source = new_rank[rank_in(comm)];
  return unpacked(trade(packed(vertex), old_rank, source, comm));
}

MPI_Comm given_to_program(OwnComm made, MPI_Comm parent) {
  inherit_errhandler(parent, made.get());
  return made.release();
}

// Collective.
MPI_Comm make_distributed(MPI_Comm comm, OwnComm made, Vertex vertex, bool weighted, bool reorder) {
  if (reorder) {
    made = reordered(std::move(made), vertex.out);
    vertex = handed_over(made.get(), rank_in(comm), vertex);
  }
  auto known = std::make_shared<const DistributedGraph>(DistributedGraph{std::move(vertex), weighted});
  TopologyAttribute::keep(made.get(), KnownTopology(std::move(known)));
  return given_to_program(std::move(made), comm);
}

// The ends of edges at the caller, sorted by the ranks that specified them. Collective over `comm`.
std::vector<EdgeEnd> told_ends(const std::vector<EdgeEnd>& ends, MPI_Comm comm) {
  constexpr int kNumbers = sizeof(EdgeEnd) / sizeof(int);
  const auto size = static_cast<std::size_t>(size_of(comm));
  std::map<int, std::vector<EdgeEnd>> by_vertex;
  for (const EdgeEnd& e : ends) by_vertex[e.vertex].push_back(e);
  struct Announced {
    int messages, ends;
  };
  std::vector<Announced> announced(size, Announced{0, 0});
  for (const auto& [vertex, list] : by_vertex) announced[vertex] = {1, static_cast<int>(list.size())};
  Announced coming{};
  check(STRATA_BEHIND(Reduce_scatter_block)(announced.data(), &coming, 2, MPI_INT, MPI_SUM, comm));
  std::vector<MPI_Request> sent;
  for (const auto& [vertex, list] : by_vertex) {
    sent.push_back(MPI_REQUEST_NULL);
    check(STRATA_BEHIND(Isend)(list.data(), static_cast<int>(list.size()) * kNumbers, MPI_INT, vertex, kEnds, comm,
                               &sent.back()));
  }
  std::map<int, std::vector<EdgeEnd>> by_teller;
  for (int m = 0; m < coming.messages; ++m) {
    std::vector<EdgeEnd> list(coming.ends);
    MPI_Status status;
    int numbers = 0;
    check(STRATA_BEHIND(Recv)(list.data(), coming.ends * kNumbers, MPI_INT, MPI_ANY_SOURCE, kEnds, comm, &status));
    check(STRATA_BEHIND(Get_count)(&status, MPI_INT, &numbers));
    list.resize(static_cast<std::size_t>(numbers / kNumbers));
    by_teller[status.MPI_SOURCE] = std::move(list);
  }
  check(STRATA_BEHIND(Waitall)(static_cast<int>(sent.size()), sent.data(), MPI_STATUSES_IGNORE));
  std::vector<EdgeEnd> all;
  for (const auto& [teller, list] : by_teller) all.insert(all.end(), list.begin(), list.end());
  return all;
}

void check_ranks(int number, const int* ranks, int size) {
  if (number < 0 || (number > 0 && ranks == nullptr)) check(MPI_ERR_ARG);
  if (!std::all_of(ranks, ranks + number, [size](int r) { return r >= 0 && r < size; })) check(MPI_ERR_RANK);
}

std::vector<int> weights_of(int number, const int* weights) {
  if (is_unweighted(weights) || weights == MPI_WEIGHTS_EMPTY) return std::vector<int>(number, 1);
  if (number > 0 && weights == nullptr) check(MPI_ERR_ARG);
  if (!std::all_of(weights, weights + number, [](int w) { return w >= 0; })) check(MPI_ERR_ARG);
  return {weights, weights + number};
}

std::vector<Neighbor> neighbors_of(int number, const int* ranks, const int* weights, int size) {
  check_ranks(number, ranks, size);
  const std::vector<int> given = weights_of(number, weights);
  std::vector<Neighbor> neighbors;
  for (int i = 0; i < number; ++i) neighbors.push_back({ranks[i], given[i]});
  return neighbors;
}

template <class Body>
int making(MPI_Comm comm, MPI_Comm* newcomm, const Body& body) {
  return guarded(comm, [&] {
    check(check_intracomm(comm));
    if (newcomm == nullptr) check(MPI_ERR_ARG);
    *newcomm = MPI_COMM_NULL;
    body();
    return static_cast<int>(MPI_SUCCESS);
  });
}

// Fails if the communicator does not have a topology of this kind.
template <class Topology>
const Topology& known(MPI_Comm comm) {
  check(check_intracomm(comm));
  const KnownTopology* topology = topology_of(comm);
  const Topology* found = topology == nullptr ? nullptr : std::get_if<Topology>(topology);
  if (found == nullptr) check(MPI_ERR_TOPOLOGY);
  return *found;
}

void copy_neighbors(const std::vector<Neighbor>& from, int most, int* ranks, int* weights, bool weighted) {
  const int number = std::min(most, static_cast<int>(from.size()));
  if (number > 0 && ranks == nullptr) check(MPI_ERR_ARG);
  const bool with_weights = weighted && weights != nullptr && !is_unweighted(weights) && weights != MPI_WEIGHTS_EMPTY;
  for (int i = 0; i < number; ++i) {
    ranks[i] = from[i].rank;
    if (with_weights) weights[i] = from[i].weight;
  }
}

// The graph, which all processes have specified identically, as one object for all.
SharedGraph shared_graph(MPI_Comm comm, int nnodes, const int* index, const int* edges) {
  static auto& meetings = *new Meetings<SharedGraph>;
  const std::shared_ptr<SharedGraph> shared = meetings.join(members_of(comm), static_cast<std::size_t>(rank_in(comm)));
  if (*shared == nullptr) {
    const int number = nnodes == 0 ? 0 : index[nnodes - 1];
    *shared = std::make_shared<const Graph>(Graph{{index, index + nnodes}, {edges, edges + std::max(number, 0)}});
  }
  return *shared;
}

// Makes a communicator of the first ranks. Called by all.
OwnComm first_of(MPI_Comm comm, int number) {
  MPI_Group group = MPI_GROUP_NULL, first = MPI_GROUP_NULL;
  std::vector<int> ranks(number);
  std::iota(ranks.begin(), ranks.end(), 0);
  check(STRATA_BEHIND(Comm_group)(comm, &group));
  int error = STRATA_BEHIND(Group_incl)(group, number, ranks.data(), &first);
  STRATA_BEHIND(Group_free)(&group);
  check(error);
  MPI_Comm made = MPI_COMM_NULL;
  error = STRATA_BEHIND(Comm_create)(comm, first, &made);
  STRATA_BEHIND(Group_free)(&first);
  check(error);
  return made == MPI_COMM_NULL ? OwnComm() : returning_errors(made);
}

// Marks a communicator that SMPI or the shim has made.
int cartesian(int code, const MPI_Comm* newcomm) {
  if (code == MPI_SUCCESS && newcomm != nullptr && *newcomm != MPI_COMM_NULL)
    TopologyAttribute::set(*newcomm, Cartesian{});
  return code;
}

}  // namespace

Neighborhood neighborhood_of(MPI_Comm comm) {
  const KnownTopology* topology = topology_of(comm);
  if (topology == nullptr) check(MPI_ERR_TOPOLOGY);
  return std::visit([comm](const auto& t) { return neighborhood(comm, t); }, *topology);
}

}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

// SMPI makes a mesh with more positions than ranks.
int PMPI_Cart_create(MPI_Comm comm, int ndims, const int* dims, const int* periods, int reorder, MPI_Comm* newcomm) {
  if (comm != MPI_COMM_NULL && ndims > 0 && dims != nullptr) {
    int size = 0;
    STRATA_BEHIND(Comm_size)(comm, &size);
    long positions = 1;
    for (int d = 0; d < ndims && positions <= size; ++d) positions *= std::max(0, dims[d]);
    if (positions > size) {
      if (newcomm != nullptr) *newcomm = MPI_COMM_NULL;
      return MPI_ERR_ARG;
    }
  }
  return cartesian(STRATA_BEHIND(Cart_create)(comm, ndims, dims, periods, reorder, newcomm), newcomm);
}

int PMPI_Cart_sub(MPI_Comm comm, const int* remain_dims, MPI_Comm* newcomm) {
  return cartesian(STRATA_BEHIND(Cart_sub)(comm, remain_dims, newcomm), newcomm);
}

// SMPI accepts a direction that equals the number of dimensions, and returns what follows in memory.
int PMPI_Cart_shift(MPI_Comm comm, int direction, int displ, int* source, int* dest) {
  int ndims = 0;
  if (comm == MPI_COMM_NULL || source == nullptr || dest == nullptr || direction < 0 ||
      STRATA_BEHIND(Cartdim_get)(comm, &ndims) != MPI_SUCCESS || direction < ndims)
    return STRATA_BEHIND(Cart_shift)(comm, direction, displ, source, dest);
  return MPI_ERR_ARG;  // MPI_Cart_shift calls the error handler
}

int PMPI_Topo_test(MPI_Comm comm, int* status) {
  return guarded(comm, [&] {
    if (comm == MPI_COMM_NULL) check(MPI_ERR_COMM);
    if (status == nullptr) check(MPI_ERR_ARG);
    const KnownTopology* topology = topology_of(comm);
    constexpr std::array<int, 3> kKinds = {MPI_CART, MPI_DIST_GRAPH, MPI_GRAPH};
    *status = topology == nullptr ? MPI_UNDEFINED : kKinds[topology->index()];
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int* sources, const int* sourceweights,
                                    int outdegree, const int* destinations, const int* destweights, MPI_Info,
                                    int reorder, MPI_Comm* newcomm) {
  return making(comm, newcomm, [&] {
    const int size = size_of(comm);
    Vertex vertex{.in = neighbors_of(indegree, sources, sourceweights, size),
                  .out = neighbors_of(outdegree, destinations, destweights, size)};
    const bool weighted = !is_unweighted(sourceweights) && !is_unweighted(destweights);
    *newcomm = make_distributed(comm, copy_of(comm), std::move(vertex), weighted, reorder != 0);
  });
}

int PMPI_Dist_graph_create(MPI_Comm comm, int n, const int* sources, const int* degrees, const int* destinations,
                           const int* weights, MPI_Info, int reorder, MPI_Comm* newcomm) {
  return making(comm, newcomm, [&] {
    const int size = size_of(comm);
    check_ranks(n, sources, size);
    if (n > 0 && (degrees == nullptr || !std::all_of(degrees, degrees + n, [](int d) { return d >= 0; })))
      check(MPI_ERR_ARG);
    const int edges = std::accumulate(degrees, degrees + n, 0);
    check_ranks(edges, destinations, size);
    const std::vector<EdgeEnd> ends = edge_ends({sources, sources + n}, {degrees, degrees + n},
                                                {destinations, destinations + edges}, weights_of(edges, weights));
    OwnComm made = copy_of(comm);
    Vertex vertex = vertex_of(told_ends(ends, made.get()));
    *newcomm = make_distributed(comm, std::move(made), std::move(vertex), !is_unweighted(weights), reorder != 0);
  });
}

int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int* indegree, int* outdegree, int* weighted) {
  return guarded(comm, [&] {
    const DistributedGraph& graph = *known<std::shared_ptr<const DistributedGraph>>(comm);
    if (indegree == nullptr || outdegree == nullptr || weighted == nullptr) check(MPI_ERR_ARG);
    *indegree = static_cast<int>(graph.mine.in.size());
    *outdegree = static_cast<int>(graph.mine.out.size());
    *weighted = graph.weighted ? 1 : 0;
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int* sources, int* sourceweights, int maxoutdegree,
                              int* destinations, int* destweights) {
  return guarded(comm, [&] {
    const DistributedGraph& graph = *known<std::shared_ptr<const DistributedGraph>>(comm);
    if (maxindegree < 0 || maxoutdegree < 0) check(MPI_ERR_ARG);
    copy_neighbors(graph.mine.in, maxindegree, sources, sourceweights, graph.weighted);
    copy_neighbors(graph.mine.out, maxoutdegree, destinations, destweights, graph.weighted);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Graph_create(MPI_Comm comm, int nnodes, const int* index, const int* edges, int reorder, MPI_Comm* newcomm) {
  return making(comm, newcomm, [&] {
    if (nnodes < 0 || nnodes > size_of(comm) || (nnodes > 0 && index == nullptr)) check(MPI_ERR_ARG);
    if (nnodes > 0 && index[nnodes - 1] > 0 && edges == nullptr) check(MPI_ERR_ARG);
    const SharedGraph graph = shared_graph(comm, nnodes, index, edges);
    if (!graph->valid()) check(MPI_ERR_ARG);
    if (nnodes == 0) return;
    OwnComm made = first_of(comm, nnodes);
    if (made.get() == MPI_COMM_NULL) return;
    if (reorder != 0) {
      std::vector<Neighbor> out;
      for (int n : graph->neighbors(rank_in(made.get()))) out.push_back({n, 1});
      made = reordered(std::move(made), out);
    }
    TopologyAttribute::keep(made.get(), KnownTopology(graph));
    *newcomm = given_to_program(std::move(made), comm);
  });
}

int PMPI_Graphdims_get(MPI_Comm comm, int* nnodes, int* nedges) {
  return guarded(comm, [&] {
    const Graph& graph = *known<SharedGraph>(comm);
    if (nnodes == nullptr || nedges == nullptr) check(MPI_ERR_ARG);
    *nnodes = graph.nodes();
    *nedges = static_cast<int>(graph.edges.size());
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int* index, int* edges) {
  return guarded(comm, [&] {
    const Graph& graph = *known<SharedGraph>(comm);
    if (maxindex < 0 || maxedges < 0 || index == nullptr || edges == nullptr) check(MPI_ERR_ARG);
    std::copy_n(graph.index.begin(), std::min<std::size_t>(graph.index.size(), maxindex), index);
    std::copy_n(graph.edges.begin(), std::min<std::size_t>(graph.edges.size(), maxedges), edges);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors) {
  return guarded(comm, [&] {
    const Graph& graph = *known<SharedGraph>(comm);
    if (rank < 0 || rank >= graph.nodes()) check(MPI_ERR_RANK);
    if (nneighbors == nullptr) check(MPI_ERR_ARG);
    *nneighbors = static_cast<int>(graph.neighbors(rank).size());
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int* neighbors) {
  return guarded(comm, [&] {
    const Graph& graph = *known<SharedGraph>(comm);
    if (rank < 0 || rank >= graph.nodes()) check(MPI_ERR_RANK);
    const std::vector<int> all = graph.neighbors(rank);
    if (maxneighbors < 0 || (!all.empty() && neighbors == nullptr)) check(MPI_ERR_ARG);
    std::copy_n(all.begin(), std::min<std::size_t>(all.size(), maxneighbors), neighbors);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int*, const int*, int* newrank) {
  return guarded(comm, [&] {
    check(check_intracomm(comm));
    if (nnodes < 1 || nnodes > size_of(comm) || newrank == nullptr) check(MPI_ERR_ARG);
    *newrank = rank_in(comm) < nnodes ? rank_in(comm) : MPI_UNDEFINED;
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Cart_map(MPI_Comm comm, int ndims, const int* dims, const int*, int* newrank) {
  return guarded(comm, [&] {
    check(check_intracomm(comm));
    if (ndims < 0 || (ndims > 0 && dims == nullptr) || newrank == nullptr) check(MPI_ERR_ARG);
    long size = 1;
    for (int d = 0; d < ndims; ++d) size *= std::max(dims[d], 0);
    if (size < 1 || size > size_of(comm)) check(MPI_ERR_DIMS);
    *newrank = rank_in(comm) < size ? rank_in(comm) : MPI_UNDEFINED;
    return static_cast<int>(MPI_SUCCESS);
  });
}
}
