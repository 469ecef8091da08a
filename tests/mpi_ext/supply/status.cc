// SPDX-License-Identifier: LGPL-2.1-only
// The status of a generalized request, of a matched probe, and of the receive after it.
#include <mpi.h>

#include <array>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/supply/graphs.h"
#include "tests/mpi_ext/supply/tests.h"

namespace strata::mpix::testing {

void check_own_status(Checks& t, MPI_Comm comm) {
  const auto query = [](void* bytes, MPI_Status* status) {
    MPI_Status_set_elements(status, MPI_BYTE, *static_cast<int*>(bytes));
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 3;
    status->MPI_TAG = 4;
    return static_cast<int>(MPI_SUCCESS);
  };
  const auto release = [](void*) { return static_cast<int>(MPI_SUCCESS); };
  const auto cancel = [](void*, int) { return static_cast<int>(MPI_SUCCESS); };
  for (Way way : kWays) {
    if (way == Way::kBlocking) continue;
    int bytes = 7, counted = -1, done = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    CHECK_EQ(MPI_SUCCESS, MPI_Grequest_start(query, release, cancel, &bytes, &request));
    CHECK_EQ(MPI_SUCCESS, MPI_Grequest_complete(request));
    if (way == Way::kWait) MPI_Wait(&request, &status);
    if (way == Way::kWaitall) MPI_Waitall(1, &request, &status);
    if (way == Way::kTest) MPI_Test(&request, &done, &status);
    CHECK_TRUE(request == MPI_REQUEST_NULL);
    MPI_Get_count(&status, MPI_BYTE, &counted);
    CHECK_EQ(bytes, counted);
    CHECK_EQ(3, status.MPI_SOURCE);
    CHECK_EQ(4, status.MPI_TAG);
  }
  const int me = rank_in(comm), size = size_of(comm), left = (me + size - 1) % size;
  int sent[2] = {me, -me}, got[2] = {-9, -9}, counted = -1;
  MPI_Request sending = MPI_REQUEST_NULL, receiving = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Isend(sent, 2, MPI_INT, (me + 1) % size, 8, comm, &sending);
  CHECK_EQ(MPI_SUCCESS, MPI_Mprobe(left, 8, comm, &message, MPI_STATUS_IGNORE));
  CHECK_EQ(MPI_SUCCESS, MPI_Imrecv(got, 2, MPI_INT, &message, &receiving));
  CHECK_TRUE(message == MPI_MESSAGE_NULL);
  CHECK_EQ(MPI_SUCCESS, MPI_Wait(&receiving, &status));
  MPI_Get_count(&status, MPI_INT, &counted);
  CHECK_EQ(2, counted);
  CHECK_EQ(left, status.MPI_SOURCE);
  CHECK_EQ(8, status.MPI_TAG);
  CHECK_EQ(left, got[0]);
  CHECK_EQ(-left, got[1]);
  MPI_Wait(&sending, MPI_STATUS_IGNORE);
}

void check_matched_probe(Checks& t, MPI_Comm comm) {
  const int me = rank_in(comm), size = size_of(comm);
  const std::array<int, 2> first = {me, 1}, second = {me, 2};
  std::array<MPI_Request, 2> sent{};
  MPI_Isend(first.data(), 2, MPI_INT, (me + 1) % size, 9, comm, &sent[0]);
  MPI_Isend(second.data(), 2, MPI_INT, (me + 1) % size, 9, comm, &sent[1]);
  const int before = (me + size - 1) % size;
  MPI_Message message = MPI_MESSAGE_NULL, other = MPI_MESSAGE_NULL;
  MPI_Status status;
  std::array<int, 2> got{}, later{};
  int found = 0, number = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Mprobe(before, MPI_ANY_TAG, comm, &message, &status));
  CHECK_EQ(before, status.MPI_SOURCE);
  CHECK_EQ(9, status.MPI_TAG);
  MPI_Get_count(&status, MPI_INT, &number);
  CHECK_EQ(2, number);
  while (found == 0) CHECK_EQ(MPI_SUCCESS, MPI_Improbe(MPI_ANY_SOURCE, 9, comm, &found, &other, MPI_STATUS_IGNORE));
  CHECK_EQ(MPI_SUCCESS, MPI_Mrecv(later.data(), 2, MPI_INT, &other, &status));
  CHECK_EQ(before, status.MPI_SOURCE);
  CHECK_EQ(MPI_SUCCESS, MPI_Mrecv(got.data(), 2, MPI_INT, &message, &status));
  CHECK_TRUE(message == MPI_MESSAGE_NULL);
  CHECK_EQ(before, status.MPI_SOURCE);
  CHECK_EQ((std::vector<int>{before, 1, before, 2}), (std::vector<int>{got[0], got[1], later[0], later[1]}));
  MPI_Waitall(2, sent.data(), MPI_STATUSES_IGNORE);
  CHECK_EQ(MPI_SUCCESS, MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &message, MPI_STATUS_IGNORE));
  CHECK_EQ(0, found);
  MPI_Barrier(comm);
}

}  // namespace strata::mpix::testing
