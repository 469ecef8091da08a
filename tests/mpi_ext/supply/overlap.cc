// SPDX-License-Identifier: LGPL-2.1-only
// Neighbourhood collectives under way beside messages and other requests.
#include <mpi.h>

#include <array>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/supply/graphs.h"
#include "tests/mpi_ext/supply/tests.h"

namespace strata::mpix::testing {

void check_overlap(Checks& t, MPI_Comm comm) {
  const int me = rank_in(comm), size = size_of(comm);
  const int next = (me + 1) % size, before = (me + size - 1) % size;
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(comm, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  constexpr int kLong = 100000;  // above the eager limit
  std::vector<int> out(kLong, me), in(kLong, -1);
  int small_out = 7 * me, small_in = -1, message = -1;
  std::array<MPI_Request, 4> requests{};
  CHECK_EQ(MPI_SUCCESS,
           MPI_Ineighbor_alltoall(out.data(), kLong, MPI_INT, in.data(), kLong, MPI_INT, ring, &requests[0]));
  CHECK_EQ(MPI_SUCCESS, MPI_Ineighbor_allgather(&small_out, 1, MPI_INT, &small_in, 1, MPI_INT, ring, &requests[1]));
  MPI_Irecv(&message, 1, MPI_INT, before, MPI_ANY_TAG, ring, &requests[2]);
  MPI_Isend(&me, 1, MPI_INT, next, 5, ring, &requests[3]);
  CHECK_EQ(MPI_SUCCESS, MPI_Waitall(2, &requests[2], MPI_STATUSES_IGNORE));
  CHECK_EQ(before, message);
  CHECK_EQ(MPI_SUCCESS, MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
  CHECK_EQ(7 * before, small_in);
  CHECK_EQ(MPI_SUCCESS, MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
  CHECK_EQ(std::vector<int>(kLong, before), in);
  MPI_Comm_free(&ring);
}

void check_any(Checks& t, MPI_Comm comm, int how) {
  const int me = rank_in(comm), size = size_of(comm);
  if (size == 1) return;
  std::vector<int> ring = {(me + size - 1) % size, (me + 1) % size};
  MPI_Comm graph = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(comm, 1, &ring[0], MPI_UNWEIGHTED, 1, &ring[1], MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &graph);
  int mine = 5 * me, theirs = -1, word = -1;
  std::array<MPI_Request, 2> requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  const auto start = [&] {
    CHECK_EQ(MPI_SUCCESS, MPI_Ineighbor_allgather(&mine, 1, MPI_INT, &theirs, 1, MPI_INT, graph, &requests[0]));
  };
  if (me == 0) {
    for (int r = 1; r < size; ++r) MPI_Send(&r, 1, MPI_INT, r, 1, comm);
    for (int r = 1; r < size; ++r) MPI_Recv(&word, 1, MPI_INT, r, 2, comm, MPI_STATUS_IGNORE);
    start();
  } else {
    start();
    MPI_Irecv(&word, 1, MPI_INT, 0, 1, comm, &requests[1]);
  }
  std::vector<int> complete;  // found complete by the same call as an earlier one
  const auto next = [&] {
    int index = -1, flag = 0, number = 0;
    MPI_Status status;
    if (!complete.empty()) {
      index = complete.back();
      complete.pop_back();
      return index;
    }
    if (how == 0) CHECK_EQ(MPI_SUCCESS, MPI_Waitany(2, requests.data(), &index, &status));
    while (how == 1 && flag == 0) CHECK_EQ(MPI_SUCCESS, MPI_Testany(2, requests.data(), &index, &flag, &status));
    std::array<int, 2> indices = {-1, -1};
    if (how == 2) {
      CHECK_EQ(MPI_SUCCESS, MPI_Waitsome(2, requests.data(), &number, indices.data(), MPI_STATUSES_IGNORE));
      CHECK_TRUE(number == 1 || (number == 2 && me != 1));
      index = indices[0];
      if (number == 2) complete.push_back(indices[1]);
    }
    if (index == 1 && how != 2) CHECK_EQ(0, status.MPI_SOURCE);
    return index;
  };
  // Only the neighbour of rank 0 is certain to receive its message first.
  const bool depends = me == 1;
  if (me != 0) {
    const int first = next();
    if (depends) CHECK_EQ(1, first);
    MPI_Send(&me, 1, MPI_INT, 0, 2, comm);
    CHECK_EQ(1 - first, next());
    CHECK_EQ(me, word);
  } else {
    CHECK_EQ(0, next());
  }
  CHECK_EQ(5 * ring[0], theirs);
  CHECK_TRUE(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
  MPI_Comm_free(&graph);
}

}  // namespace strata::mpix::testing
