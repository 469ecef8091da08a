// SPDX-License-Identifier: LGPL-2.1-only
// Requests that are freed while they are active, also until MPI_Finalize.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/requests/tests.h"
#include "tests/mpi_ext/requests/ways.h"

namespace strata::mpix::testing {

// Requests that are freed while active, persistent or not: their messages arrive.
void check_freed(Checks& t, MPI_Comm comm, bool persistent, int length) {
  const int me = rank_in(comm), size = size_of(comm), to = (me + 1) % size, from = (me + size - 1) % size;
  const std::vector<int> out = message(me, 1, length);
  std::vector<int> in(out.size()), unpacked(2 * out.size(), -1);
  MPI_Datatype stride = MPI_DATATYPE_NULL;
  MPI_Type_vector(length, 1, 2, MPI_INT, &stride);
  MPI_Type_commit(&stride);
  std::array<MPI_Request, 3> requests{};
  if (persistent) {
    MPI_Send_init(out.data(), length, MPI_INT, to, 1, comm, requests.data());
    MPI_Send_init(out.data(), length, MPI_INT, to, 2, comm, &requests[1]);
    MPI_Recv_init(unpacked.data(), 1, stride, from, 2, comm, &requests[2]);
    CHECK_EQ(MPI_SUCCESS, MPI_Startall(3, requests.data()));
  } else {
    MPI_Isend(out.data(), length, MPI_INT, to, 1, comm, requests.data());
    MPI_Isend(out.data(), length, MPI_INT, to, 2, comm, &requests[1]);
    MPI_Irecv(unpacked.data(), 1, stride, from, 2, comm, &requests[2]);
  }
  for (MPI_Request& request : requests) {
    CHECK_EQ(MPI_SUCCESS, MPI_Request_free(&request));
    CHECK_TRUE(request == MPI_REQUEST_NULL);
  }
  MPI_Status status;
  CHECK_EQ(MPI_SUCCESS, MPI_Recv(in.data(), length, MPI_INT, from, 1, comm, &status));
  CHECK_EQ(length, count_of(status));
  CHECK_TRUE(in == message(from, 1, length));
  // The freed receive is complete at some time. There is no other way to know.
  std::vector<int> expected(unpacked.size(), -1);
  for (std::size_t i = 0; i < out.size(); ++i) expected[2 * i] = value(from, 1, static_cast<int>(i));
  const double until = MPI_Wtime() + 10;
  int flag = 0;
  while (unpacked != expected && MPI_Wtime() < until) MPI_Iprobe(MPI_ANY_SOURCE, 99, comm, &flag, &status);
  CHECK_TRUE(unpacked == expected);
  MPI_Barrier(comm);
  MPI_Type_free(&stride);
  // Requests of MPI_PROC_NULL, active.
  MPI_Isend(out.data(), length, MPI_INT, MPI_PROC_NULL, 1, comm, requests.data());
  MPI_Irecv(in.data(), length, MPI_INT, MPI_PROC_NULL, 1, comm, &requests[1]);
  for (int i = 0; i < 2; ++i) CHECK_EQ(MPI_SUCCESS, MPI_Request_free(&requests[i]));
}

// The last messages are sent by requests that were freed: MPI_Finalize completes them.
void leave_to_finalize(int length, std::vector<int>& data) {
  const int me = rank_in(MPI_COMM_WORLD), last = size_of(MPI_COMM_WORLD) - 1;
  if (last == 0) return;
  data = message(7, 0, length);
  if (me == 0) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data.data(), length, MPI_INT, last, 31, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  }
  if (me == last) {
    std::vector<int> got(data.size());
    MPI_Recv(got.data(), length, MPI_INT, 0, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (got == data) std::printf("%d elements arrived from a rank in MPI_Finalize\n", length);
  }
}

}  // namespace strata::mpix::testing
