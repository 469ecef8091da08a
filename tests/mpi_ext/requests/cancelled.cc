// SPDX-License-Identifier: LGPL-2.1-only
// Requests that are cancelled.
#include <mpi.h>

#include <array>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/requests/tests.h"
#include "tests/mpi_ext/requests/ways.h"

namespace strata::mpix::testing {

// Receives that never get a message are cancelled, and the others end as usual. Then the persistent one is used.
void check_cancelled(Checks& t, MPI_Comm comm, Way way) {
  const int me = rank_in(comm), size = size_of(comm), to = (me + 1) % size, from = (me + size - 1) % size;
  const std::vector<int> out = message(me, 2, 5);
  std::vector<int> in(5), never(5), other(5);
  std::vector<MPI_Request> requests(3, MPI_REQUEST_NULL);
  MPI_Recv_init(never.data(), 5, MPI_INT, from, 11, comm, requests.data());
  MPI_Recv_init(in.data(), 5, MPI_INT, from, 12, comm, &requests[1]);
  MPI_Start(requests.data());
  MPI_Start(&requests[1]);
  CHECK_EQ(MPI_SUCCESS, MPI_Cancel(requests.data()));
  MPI_Irecv(other.data(), 5, MPI_INT, from, 13, comm, &requests[2]);
  CHECK_EQ(MPI_SUCCESS, MPI_Cancel(&requests[2]));
  MPI_Send(out.data(), 5, MPI_INT, to, 12, comm);
  const std::vector<MPI_Status> statuses = complete(t, way, requests);
  CHECK_EQ(1, cancelled(statuses[0]));
  CHECK_EQ(0, cancelled(statuses[1]));
  CHECK_EQ(1, cancelled(statuses[2]));
  CHECK_TRUE(in == message(from, 2, 5));
  CHECK_TRUE(requests[2] == MPI_REQUEST_NULL);
  MPI_Barrier(comm);  // no rank sends before the others have cancelled their receives
  MPI_Start(requests.data());
  MPI_Send(out.data(), 5, MPI_INT, to, 11, comm);
  MPI_Status status;
  CHECK_EQ(MPI_SUCCESS, MPI_Wait(requests.data(), &status));
  CHECK_EQ(0, cancelled(status));
  CHECK_EQ(from, status.MPI_SOURCE);
  CHECK_TRUE(never == message(from, 2, 5));
  // A message that has arrived is not cancelled.
  MPI_Start(requests.data());
  MPI_Send(out.data(), 5, MPI_INT, to, 11, comm);
  MPI_Barrier(comm);
  int there = 0;
  while (there == 0) MPI_Request_get_status(requests[0], &there, &status);
  CHECK_EQ(MPI_SUCCESS, MPI_Cancel(requests.data()));
  CHECK_EQ(MPI_SUCCESS, MPI_Wait(requests.data(), &status));
  CHECK_EQ(0, cancelled(status));
  for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
}

#ifdef SMPI_H  // Open MPI never cancels a send, and MPICH 4.0 loses messages after one
// Three sends with one tag, of which the second is cancelled if it can be: the others arrive, in order.
void check_cancelled_send(Checks& t, MPI_Comm comm, int length) {
  const int me = rank_in(comm), last = size_of(comm) - 1;
  if (last == 0) return;
  std::array<std::vector<int>, 3> data;
  std::array<MPI_Request, 3> requests{};
  int stopped = 0;
  if (me == 0) {
    for (int i = 0; i < 3; ++i) {
      data[i] = message(0, i, length);
      MPI_Isend(data[i].data(), length, MPI_INT, last, 5, comm, &requests[i]);
    }
    CHECK_EQ(MPI_SUCCESS, MPI_Cancel(&requests[1]));
    MPI_Status status;
    CHECK_EQ(MPI_SUCCESS, MPI_Wait(&requests[1], &status));
    stopped = cancelled(status);
  }
  MPI_Bcast(&stopped, 1, MPI_INT, 0, comm);
  for (int i = 0; me == last && i < 3; ++i) {
    if (i == 1 && stopped != 0) continue;
    std::vector<int> got(length);
    CHECK_EQ(MPI_SUCCESS, MPI_Recv(got.data(), length, MPI_INT, 0, 5, comm, MPI_STATUS_IGNORE));
    CHECK_TRUE(got == message(0, i, length));
  }
  if (me == 0) MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
}
#endif

}  // namespace strata::mpix::testing
