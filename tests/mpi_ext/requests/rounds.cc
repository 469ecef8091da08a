// SPDX-License-Identifier: LGPL-2.1-only
// Persistent requests that are started many times, also by a sender far ahead of its receiver.
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/requests/tests.h"
#include "tests/mpi_ext/requests/ways.h"

namespace strata::mpix::testing {

// All to all, with one pair of persistent requests for each other process and MPI_PROC_NULL.
void check_rounds(Checks& t, MPI_Comm comm, Send kind, Way way, int length) {
  const int me = rank_in(comm), size = size_of(comm), peers = kKnowsNoProcess ? size + 1 : size;
  std::vector<std::vector<int>> in, out;
  for (int r = 0; r < peers; ++r) {
    in.emplace_back(static_cast<std::size_t>(length));
    out.emplace_back(static_cast<std::size_t>(length));
  }
  std::vector<MPI_Request> requests(2 * static_cast<std::size_t>(peers));
  for (int r = 0; r < peers; ++r) {
    const int peer = r == size ? MPI_PROC_NULL : r;
    CHECK_EQ(MPI_SUCCESS,
             MPI_Recv_init(in[r].data(), length, MPI_INT, peer, r % 2 == 0 ? MPI_ANY_TAG : 7, comm, &requests[2 * r]));
    requests[2 * r + 1] = init_send(t, kind, out[r], peer, 7, comm);
  }
  const std::vector<MPI_Request> handles = requests;
  for (int round = 0; round < kRounds; ++round) {
    for (int r = 0; r < size; ++r) {
      fill(out[r], me, round + r);
      std::fill(in[r].begin(), in[r].end(), -1);
    }
    if (kind == Send::kReady) {
      for (int r = 0; r < peers; ++r) CHECK_EQ(MPI_SUCCESS, MPI_Start(&requests[2 * r]));
      MPI_Barrier(comm);
      for (int r = 0; r < peers; ++r) CHECK_EQ(MPI_SUCCESS, MPI_Start(&requests[2 * r + 1]));
    } else {
      CHECK_EQ(MPI_SUCCESS, MPI_Startall(static_cast<int>(requests.size()), requests.data()));
    }
    const std::vector<MPI_Status> statuses = complete(t, way, requests);
    CHECK_TRUE(requests == handles);
    for (int r = 0; r < size; ++r) {
      CHECK_TRUE(in[r] == message(r, round + me, length));
      CHECK_EQ(r, statuses[2 * r].MPI_SOURCE);
      CHECK_EQ(7, statuses[2 * r].MPI_TAG);
      CHECK_EQ(length, count_of(statuses[2 * r]));
    }
    if (!kKnowsNoProcess) continue;
    CHECK_EQ(MPI_PROC_NULL, statuses[2 * size].MPI_SOURCE);
    CHECK_EQ(MPI_ANY_TAG, statuses[2 * size].MPI_TAG);
    CHECK_EQ(0, count_of(statuses[2 * size]));
  }
  for (MPI_Request& request : requests) {
    CHECK_EQ(MPI_SUCCESS, MPI_Request_free(&request));
    CHECK_TRUE(request == MPI_REQUEST_NULL);
  }
}

// A sender that is many messages ahead of its receiver. `restart`: the receiver too is a persistent request.
void check_ahead(Checks& t, MPI_Comm comm, Send kind, bool restart) {
  constexpr int kShort = 4;
  const int me = rank_in(comm), last = size_of(comm) - 1;
  std::vector<int> data(kShort);
  MPI_Request request = MPI_REQUEST_NULL;
  if (me == 0) {
    request = init_send(t, kind, data, last, 3, comm);
    for (int round = 0; round < 5 * kRounds; ++round) {
      fill(data, 1, round);
      CHECK_EQ(MPI_SUCCESS, MPI_Start(&request));
      CHECK_EQ(MPI_SUCCESS, MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    CHECK_EQ(MPI_SUCCESS, MPI_Request_free(&request));
  }
  MPI_Barrier(comm);
  if (me != last) return;
  std::vector<int> got(kShort);
  if (restart) MPI_Recv_init(got.data(), kShort, MPI_INT, MPI_ANY_SOURCE, 3, comm, &request);
  for (int round = 0; round < 5 * kRounds; ++round) {
    MPI_Status status;
    if (restart) {
      MPI_Start(&request);
      CHECK_EQ(MPI_SUCCESS, MPI_Wait(&request, &status));
    } else {
      CHECK_EQ(MPI_SUCCESS, MPI_Recv(got.data(), kShort, MPI_INT, 0, 3, comm, &status));
    }
    CHECK_EQ(0, status.MPI_SOURCE);
    CHECK_TRUE(got == message(1, round, kShort));
  }
  if (restart) MPI_Request_free(&request);
}

}  // namespace strata::mpix::testing
