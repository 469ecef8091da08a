// SPDX-License-Identifier: LGPL-2.1-only
// Persistent requests whose datatype and communicator are freed.
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/requests/tests.h"
#include "tests/mpi_ext/requests/ways.h"

namespace strata::mpix::testing {

// Every second element, and the type and the communicator are freed before the requests are started.
void check_derived(Checks& t, MPI_Comm comm, int length) {
  const int me = rank_in(comm), size = size_of(comm), to = (me + 1) % size, from = (me + size - 1) % size;
  MPI_Datatype stride = MPI_DATATYPE_NULL;
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Type_vector(length, 1, 2, MPI_INT, &stride);
  MPI_Type_commit(&stride);
  MPI_Comm_dup(comm, &own);
  std::vector<int> out(2 * static_cast<std::size_t>(length)), in(out.size());
  std::vector<MPI_Request> requests(2);
  CHECK_EQ(MPI_SUCCESS, MPI_Recv_init(in.data(), 1, stride, from, 0, own, requests.data()));
  CHECK_EQ(MPI_SUCCESS, MPI_Send_init(out.data(), 1, stride, to, 0, own, &requests[1]));
  MPI_Type_free(&stride);
  for (int round = 0; round < kRounds; ++round) {
    std::iota(out.begin(), out.end(), 1'000 * me + round);
    std::fill(in.begin(), in.end(), -1);
    CHECK_EQ(MPI_SUCCESS, MPI_Startall(2, requests.data()));
    complete(t, kWays[static_cast<std::size_t>(round) % kWays.size()], requests);
    std::vector<int> expected(in.size(), -1);
    for (std::size_t i = 0; i < in.size(); i += 2) expected[i] = 1'000 * from + round + static_cast<int>(i);
    CHECK_TRUE(in == expected);
  }
  for (MPI_Request& request : requests) MPI_Request_free(&request);
  MPI_Comm_free(&own);
}

}  // namespace strata::mpix::testing
