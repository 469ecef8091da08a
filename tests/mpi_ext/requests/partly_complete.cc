// SPDX-License-Identifier: LGPL-2.1-only
// Requests of which some are complete.
#include <mpi.h>

#include <array>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/requests/tests.h"
#include "tests/mpi_ext/requests/ways.h"

namespace strata::mpix::testing {

// If not all requests are complete, MPI_Testall leaves all as they are, with their statuses.
void check_partly_complete(Checks& t, MPI_Comm comm) {
  const int me = rank_in(comm), size = size_of(comm), other = (me + 1) % size, from = (me + size - 1) % size;
  int first = -1, second = -1, one = 10 + me, flag = 0;
  std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  std::array<MPI_Status, 3> statuses{};
  MPI_Irecv(&first, 1, MPI_INT, from, 21, comm, requests.data());
  MPI_Recv_init(&second, 1, MPI_INT, from, 22, comm, &requests[1]);
  MPI_Start(&requests[1]);
  MPI_Irecv(nullptr, 0, MPI_INT, from, 23, comm, &requests[2]);
  const std::array<MPI_Request, 3> handles = requests;
  MPI_Send(&one, 1, MPI_INT, other, 21, comm);
  MPI_Send(&one, 1, MPI_INT, other, 22, comm);
  for (int round = 0; round < 200; ++round) {
    MPI_Testall(3, requests.data(), &flag, statuses.data());
    CHECK_EQ(0, flag);
    CHECK_TRUE(requests == handles);
  }
  MPI_Status status;
  int index = -1;
  CHECK_EQ(MPI_SUCCESS, MPI_Wait(requests.data(), &status));
  CHECK_EQ(21, status.MPI_TAG);
  CHECK_EQ(from, status.MPI_SOURCE);
  CHECK_EQ(1, count_of(status));
  CHECK_EQ(MPI_SUCCESS, MPI_Waitany(3, requests.data(), &index, &status));
  CHECK_EQ(1, index);
  CHECK_EQ(22, status.MPI_TAG);
  CHECK_EQ(10 + from, first);
  CHECK_EQ(10 + from, second);
  MPI_Barrier(comm);
  MPI_Send(nullptr, 0, MPI_INT, other, 23, comm);
  CHECK_EQ(MPI_SUCCESS, MPI_Waitall(3, requests.data(), statuses.data()));
  CHECK_EQ(23, statuses[2].MPI_TAG);
  MPI_Request_free(&requests[1]);
}

}  // namespace strata::mpix::testing
