// SPDX-License-Identifier: LGPL-2.1-only
// Point-to-point messages: every kind of send, and messages of other communicators than the session's.
#include <mpi.h>

#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/monitoring/accounts.h"
#include "tests/mpi_ext/monitoring/tests.h"

namespace strata::mpix::testing {

void test_sends(const Env& e) {
  Checks& t = e.t;
  if (e.size == 1 && e.simulated()) return;  // in SMPI, MPI_Sendrecv with itself sends no message
  const int next = (e.rank + 1) % e.size, before = (e.rank + e.size - 1) % e.size;
  Account account(e.size);
  std::vector<double> out(64), in(64);
  std::vector<char> space(4096 + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(space.data(), static_cast<int>(space.size()));
  MPI_Datatype strided;  // 3 of 5 doubles: 24 B
  MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &strided);
  MPI_Type_commit(&strided);

  const MPI_M_msid id = started(t);
  MPI_Request requests[2];
  const auto receive = [&](int count) {
    MPI_Irecv(in.data(), count, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  };
  const auto finish = [&](int number) { MPI_Waitall(number, requests, MPI_STATUSES_IGNORE); };
  receive(64);
  MPI_Send(out.data(), 1, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
  account.add(next, 8);
  finish(1);
  receive(64);
  MPI_Isend(out.data(), 2, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[1]);
  account.add(next, 16);
  finish(2);
  receive(64);
  MPI_Ssend(out.data(), 3, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
  account.add(next, 24);
  finish(1);
  receive(64);
  MPI_Issend(out.data(), 3, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[1]);
  account.add(next, 24);
  finish(2);
  receive(64);
  MPI_Bsend(out.data(), 4, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
  account.add(next, 32);
  finish(1);
  MPI_Sendrecv(out.data(), 5, MPI_DOUBLE, next, 2, out.data() + 32, 5, MPI_DOUBLE, before, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  account.add(next, 40);
  receive(64);
  MPI_Send(out.data(), 0, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);  // an empty message
  account.add(next, 0);
  finish(1);
  MPI_Sendrecv_replace(out.data(), 6, MPI_DOUBLE, next, 3, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  account.add(next, 48);
  receive(64);
  MPI_Send(out.data(), 2, strided, next, 1, MPI_COMM_WORLD);
  account.add(next, 48);
  finish(1);
  MPI_Irecv(in.data(), 64, MPI_DOUBLE, e.rank, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Send(out.data(), 3, MPI_DOUBLE, e.rank, 1, MPI_COMM_WORLD);
  account.add(e.rank, 24);
  finish(1);
  MPI_Send(out.data(), 9, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  // Persistent requests: creating one is not a message, each start is.
  MPI_Request persistent[2];
  MPI_Recv_init(in.data(), 64, MPI_DOUBLE, before, 5, MPI_COMM_WORLD, &persistent[0]);
  MPI_Send_init(out.data(), 7, MPI_DOUBLE, next, 5, MPI_COMM_WORLD, &persistent[1]);
  int told = 0;
  for (int i = 0; i < 3; ++i) {
    if (i == 1) {
      MPI_Start(&persistent[0]);
      MPI_Start(&persistent[1]);
    } else {
      MPI_Startall(2, persistent);
    }
    if (e.provider != "openmpi") account.add(next, 56);  // openmpi does not see them
    MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
    // The receiver confirms each message before the next is started: SMPI 3.32 loses messages that are not yet
    // delivered.
    MPI_Sendrecv(&i, 1, MPI_INT, before, 6, &told, 1, MPI_INT, next, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    account.add(before, 4);
  }
  suspend(t, id);
  expect_data(t, account, id);
  if (e.provider != "openmpi") expect_data(t, Account(e.size), id, MPI_M_COLL_ONLY | MPI_M_OSC_ONLY);
  free_session(t, id);
  MPI_Request_free(&persistent[0]);
  MPI_Request_free(&persistent[1]);

  // A ready send needs a posted receive: the receiver confirms it.
  const MPI_M_msid ready = started(t);
  account.clear();
  MPI_Irecv(in.data(), 64, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &requests[0]);
  int token = 0, received = 0;
  MPI_Sendrecv(&token, 1, MPI_INT, before, 9, &received, 1, MPI_INT, next, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  account.add(before, 4);
  MPI_Rsend(out.data(), 8, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
  account.add(next, 64);
  finish(1);
  suspend(t, ready);
  expect_data(t, account, ready);
  free_session(t, ready);

  MPI_Type_free(&strided);
  void* detached = nullptr;
  int bytes = 0;
  MPI_Buffer_detach(static_cast<void*>(&detached), &bytes);
}

void test_membership(const Env& e) {
  Checks& t = e.t;
  MPI_Comm half = MPI_COMM_NULL, reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, e.rank % 2, -e.rank, &half);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -e.rank, &reversed);
  const int members = size_of(half), mine = rank_in(half);
  const MPI_M_msid id = started(t, half), everybody = started(t, reversed);
  MPI_Comm_free(&half);  // the session still works
  Account of_half(members), of_all(e.size);
  for (int distance = 1; distance <= 3; ++distance) {
    ring(MPI_COMM_WORLD, distance, distance);
    const int to = (e.rank + distance) % e.size;
    of_all.add(e.size - 1 - to, 4UL * distance);
    if (to % 2 == e.rank % 2) {
      // The ranks of `half` are in reverse order.
      const int members_before = to / 2;
      of_half.add(members - 1 - members_before, 4UL * distance);
    }
  }
  ring(reversed, 1, 5);
  of_all.add((e.size - 1 - e.rank + 1) % e.size, 20);
  const int to = (e.rank - 1 + e.size) % e.size;
  if (to % 2 == e.rank % 2) of_half.add(members - 1 - to / 2, 20);
  suspend(t, id);
  suspend(t, everybody);
  CHECK_TRUE(mine >= 0);
  expect_data(t, of_half, id);
  expect_data(t, of_all, everybody);
  free_session(t, id);
  free_session(t, everybody);
  MPI_Comm_free(&reversed);
}

}  // namespace strata::mpix::testing
