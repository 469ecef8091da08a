// SPDX-License-Identifier: LGPL-2.1-only
// Reports collectives when the program calls them (collective_meaning.h), as MessageKind::kCollective.
//
// On an intercommunicator, a rank has data for ranks of the remote group: for the root of a rooted collective, and for
// all ranks if its own root argument is MPI_ROOT or the collective has no root. It is not known here how
// MPI_Reduce_scatter divides the remote group's result, so this collective is not reported there.
#include <algorithm>
#include <vector>

#include "mpi_ext/monitoring/collective_meaning.h"
#include "mpi_ext/preload/tap/data_size.h"
#include "mpi_ext/preload/tap/entry.h"
#include "mpi_ext/preload/tap/peers.h"

namespace strata::mpix {
namespace {

// `bytes_for` returns the bytes for a rank.
template <class BytesFor>
void tell_collective(Meaning meaning, MPI_Comm comm, int root, const BytesFor& bytes_for) {
  if (!anybody_wants_calls()) return;
  int rank = 0, size = 0, inter = 0;
  const ProcessId me = calling_process();
  const auto tell_one = [&](int receiver) {
    if (const ProcessId process = peer(comm, receiver); process != kNobody)
      tell(MessageKind::kCollective, me, process, bytes_for(receiver));
  };
  PMPI_Comm_test_inter(comm, &inter);
  if (inter == 0) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    return for_each_receiver(meaning, rank, size, root, tell_one);
  }
  PMPI_Comm_remote_size(comm, &size);
  if (meaning == Meaning::kToRoot) {
    if (root >= 0) tell_one(root);
  } else if (meaning == Meaning::kToAll || root == MPI_ROOT) {
    for (int r = 0; r < size; ++r) tell_one(r);
  }
}

// The same number of bytes for each rank.
void tell_whole(Meaning meaning, MPI_Comm comm, int root, std::uint64_t bytes) {
  tell_collective(meaning, comm, root, [bytes](int) { return bytes; });
}

// Each rank has data for each other rank: that rank's part of the result.
template <class BytesFor>
void tell_parts_of_result(MPI_Comm comm, const BytesFor& bytes_for) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter == 0) tell_collective(Meaning::kToAll, comm, 0, bytes_for);
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

// The ranks to which this rank sends in neighborhood collectives, in the order of the blocks of its send buffer.
std::vector<int> neighbors_of(MPI_Comm comm) {
  int topology = MPI_UNDEFINED, number = 0;
  PMPI_Topo_test(comm, &topology);
  std::vector<int> ranks;
  if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm, &number);
    ranks.resize(2 * static_cast<std::size_t>(number));
    for (int d = 0; d < number; ++d) PMPI_Cart_shift(comm, d, 1, &ranks[2 * d], &ranks[2 * d + 1]);
  } else if (topology == MPI_GRAPH) {
    PMPI_Graph_neighbors_count(comm, rank_in(comm), &number);
    ranks.resize(number);
    PMPI_Graph_neighbors(comm, rank_in(comm), number, ranks.data());
  } else if (topology == MPI_DIST_GRAPH) {
    int sources = 0, weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &sources, &number, &weighted);
    std::vector<int> from(sources), from_weights(sources), weights(number);
    ranks.resize(number);
    PMPI_Dist_graph_neighbors(comm, sources, from.data(), from_weights.data(), number, ranks.data(), weights.data());
  }
  return ranks;
}

// `bytes_for` returns the bytes for an edge.
template <class BytesFor>
void tell_neighbors(MPI_Comm comm, const BytesFor& bytes_for) {
  if (!anybody_wants_calls()) return;
  const ProcessId me = calling_process();
  const std::vector<int> ranks = neighbors_of(comm);
  for (std::size_t edge = 0; edge < ranks.size(); ++edge) {
    const ProcessId process = peer(comm, ranks[edge]);
    if (process != kNobody && process != me) tell(MessageKind::kCollective, me, process, bytes_for(edge));
  }
}

}  // namespace
}  // namespace strata::mpix

// Collectives with counts of type Count. The nonblocking ones have an additional request.
#define LIST(...) __VA_ARGS__
#define COLLECTIVE(name, iname, parameters, arguments, ...)                     \
  STRATA_ENTRIES(SIZED(name), (LIST parameters), (LIST arguments), __VA_ARGS__) \
  STRATA_ENTRIES(SIZED(iname), (LIST parameters, MPI_Request * request), (LIST arguments, request), __VA_ARGS__)

using namespace strata::mpix;

STRATA_ENTRIES(Barrier, (MPI_Comm comm), (comm), tell_whole(Meaning::kToAll, comm, 0, 0))
STRATA_ENTRIES(Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request),
               tell_whole(Meaning::kToAll, comm, 0, 0))

#define Count int
#define Displacement int
#define SIZED(name) name
#include "mpi_ext/preload/tap/tap_collectives.inc"
#undef Count
#undef Displacement
#undef SIZED

#if MPI_VERSION >= 4
#define Count MPI_Count
#define Displacement MPI_Aint
#define SIZED(name) name##_c
#include "mpi_ext/preload/tap/tap_collectives.inc"
#endif
