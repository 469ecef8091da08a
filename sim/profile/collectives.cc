// SPDX-License-Identifier: LGPL-2.1-only
// Replaces four algorithms that SMPI uses when it imitates Open MPI's choices, for cases in which they fail.
//
// MPI_Alltoallv on, for example, 3, 96 or 120 ranks, and MPI_Alltoall of 800 kB to each of 7 ranks or 300 kB to each of
// 96. Open MPI uses a pairwise exchange there: in step i, each rank sends to the rank i after it and receives from the
// rank i before it. In its place, SMPI uses an algorithm that only works for powers of 2 and otherwise ends the
// program. SMPI's `ring` is what Open MPI does.
//
// MPI_Scatter with a root other than 0, for some sizes that depend on the number of ranks. SMPI's algorithm tests an
// uninitialized variable, and may omit all sends except the first. The ranks that wait for them deadlock, or take the
// messages of another scatter for theirs.
//
// MPI_Bcast of small messages on few ranks while SMPI replays actions. At its first call, SMPI's k-nomial tree divides
// the ranks by nodes, which it does not need, and exchanges data for this. Replayed messages have no data, and whether
// SMPI copies a message's data depends on the receiver, which may not have come so far. Then SMPI frees memory of the
// sender's stack. Here the same tree is used without the division.
#include "sim/simgrid/collectives.h"

#include <mpi.h>

#include <string>
#include <vector>
#include <xbt/config.hpp>

#include "sim/profile/functions.h"
#include "sim/simgrid/request.h"

namespace strata::sim {
namespace {

bool is_power_of_2(MPI_Comm communicator) {
  static const auto size_of = behind(PMPI_Comm_size, "PMPI_Comm_size");  // not a call of the program
  int size = 0;
  size_of(communicator, &size);
  return (size & (size - 1)) == 0;
}

}  // namespace
}  // namespace strata::sim

namespace simgrid::smpi {

int alltoall__pair(const void* sent, int send_count, MPI_Datatype send_type, void* received, int receive_count,
                   MPI_Datatype receive_type, MPI_Comm communicator) {
  static const auto next = strata::sim::behind(alltoall__pair, kAlltoallPair);
  auto* const algorithm = strata::sim::is_power_of_2(communicator) ? next : alltoall__ring;
  return algorithm(sent, send_count, send_type, received, receive_count, receive_type, communicator);
}

int alltoallv__pair(const void* sent, const int* send_counts, const int* send_places, MPI_Datatype send_type,
                    void* received, const int* receive_counts, const int* receive_places, MPI_Datatype receive_type,
                    MPI_Comm communicator) {
  static const auto next = strata::sim::behind(alltoallv__pair, kAlltoallvPair);
  auto* const algorithm = strata::sim::is_power_of_2(communicator) ? next : alltoallv__ring;
  return algorithm(sent, send_counts, send_places, send_type, received, receive_counts, receive_places, receive_type,
                   communicator);
}

int scatter__ompi_linear_nb(const void* sent, int send_count, MPI_Datatype send_type, void* received, int receive_count,
                            MPI_Datatype receive_type, int root, MPI_Comm communicator) {
  static const auto next = strata::sim::behind(scatter__ompi_linear_nb, kScatterLinearNonblocking);
  static const auto size_of = strata::sim::behind(PMPI_Comm_size, "PMPI_Comm_size");
  static const auto rank_of = strata::sim::behind(PMPI_Comm_rank, "PMPI_Comm_rank");
  static const auto extent_of = strata::sim::behind(PMPI_Type_get_extent, "PMPI_Type_get_extent");
  int rank = 0, size = 0;
  rank_of(communicator, &rank);
  if (rank != root)  // correct in SMPI
    return next(sent, send_count, send_type, received, receive_count, receive_type, root, communicator);
  size_of(communicator, &size);
  MPI_Aint begin = 0, extent = 0;
  extent_of(send_type, &begin, &extent);
  std::vector<Request*> sends;
  for (int i = 0; i < size; ++i) {
    const char* block = static_cast<const char*>(sent) + extent * send_count * i;
    if (i != rank) {
      sends.push_back(Request::isend(block, send_count, send_type, i, kScatterTag, communicator));
    } else if (received != MPI_IN_PLACE) {
      const int result = Datatype::copy(block, send_count, send_type, received, receive_count, receive_type);
      if (result != MPI_SUCCESS) return result;
    }
  }
  return Request::waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
}

int bcast__mvapich2_knomial_intra_node(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
  static const auto next = strata::sim::behind(bcast__mvapich2_knomial_intra_node, kBroadcastKnomial);
  static const auto size_of = strata::sim::behind(PMPI_Comm_size, "PMPI_Comm_size");
  static const auto rank_of = strata::sim::behind(PMPI_Comm_rank, "PMPI_Comm_rank");
  static const bool replays = !simgrid::config::get_value<std::string>("smpi/replay").empty();
  if (!replays) return next(buffer, count, type, root, communicator);
  int rank = 0, size = 0;
  rank_of(communicator, &rank);
  size_of(communicator, &size);
  const int from_root = (rank - root + size) % size;
  int reach = 1;  // of this rank's subtree: 1, 4, 16, ...
  for (; reach < size; reach *= kKnomialDegree) {
    if (from_root % (kKnomialDegree * reach) == 0) continue;
    const int parent = from_root / (kKnomialDegree * reach) * (kKnomialDegree * reach);
    Request* receive = Request::irecv_init(buffer, count, type, (parent + root) % size, kBroadcastTag, communicator);
    receive->start();
    Request::wait(&receive, MPI_STATUS_IGNORE);
    break;
  }
  for (reach /= kKnomialDegree; reach > 0; reach /= kKnomialDegree) {
    std::vector<Request*> sends;
    for (int child = 1; child < kKnomialDegree; ++child) {
      if (from_root + reach * child < size)
        sends.push_back(
            Request::isend(buffer, count, type, (rank + reach * child) % size, kBroadcastTag, communicator));
    }
    Request::waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
  }
  return MPI_SUCCESS;
}

}  // namespace simgrid::smpi
