// SPDX-License-Identifier: LGPL-2.1-only
// Monitoring sessions: each rank keeps its own account of the messages that it sends, and compares it with the
// sessions.
//
//   monitoring_mpi_program smpi|pmpi|openmpi [barrier=NAME] [barriers]
//
// The first word is the provider. `barrier=NAME`: also tests MPI_Barrier, which SMPI executes with that algorithm.
// `barriers`: tests only barriers.
#include <fcntl.h>
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {
namespace {

using Numbers = std::vector<unsigned long>;

struct Env {
  Checks& t;
  std::string provider;
  int rank, size;
  bool simulated() const { return provider == "smpi"; }
};

// The messages that a rank sends to each rank.
struct Account {
  Numbers counts, sizes;
  explicit Account(int size) : counts(size), sizes(size) {}
  void add(int to, unsigned long bytes, unsigned long messages = 1) {
    counts[to] += messages;
    sizes[to] += bytes;
  }
  void clear() { *this = Account(static_cast<int>(counts.size())); }
};

Account data_of(Checks& t, MPI_M_msid id, int flags) {
  int size = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_M_get_info(id, MPI_M_INT_IGNORE, &size));
  Account a(size);
  CHECK_EQ(MPI_SUCCESS, MPI_M_get_data(id, a.counts.data(), a.sizes.data(), flags));
  return a;
}

void expect_data(Checks& t, const Account& expected, MPI_M_msid id, int flags = MPI_M_P2P_ONLY) {
  const Account got = data_of(t, id, flags);
  CHECK_EQ(expected.counts, got.counts);
  CHECK_EQ(expected.sizes, got.sizes);
}

MPI_M_msid started(Checks& t, MPI_Comm comm = MPI_COMM_WORLD) {
  MPI_M_msid id = MPI_M_MSID_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_M_start(comm, &id));
  CHECK_TRUE(id > 0);
  return id;
}

void suspend(Checks& t, MPI_M_msid id) { CHECK_EQ(MPI_SUCCESS, MPI_M_suspend(id)); }
void go_on(Checks& t, MPI_M_msid id) { CHECK_EQ(MPI_SUCCESS, MPI_M_continue(id)); }
void free_session(Checks& t, MPI_M_msid id) { CHECK_EQ(MPI_SUCCESS, MPI_M_free(id)); }

// Each rank sends `ints` ints to the rank `distance` further on in the ring.
void ring(MPI_Comm comm, int distance, int ints, int tag = 7) {
  const int rank = rank_in(comm), size = size_of(comm);
  std::vector<int> out(ints), in(1000);  // received messages may be longer than sent ones
  MPI_Request request;
  MPI_Irecv(in.data(), static_cast<int>(in.size()), MPI_INT, (rank - distance % size + size) % size, tag, comm,
            &request);
  MPI_Send(out.data(), ints, MPI_INT, (rank + distance) % size, tag, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// --- point-to-point ---

// All kinds of sends, from each rank to the next one and to itself.
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

// The paper's example: a session over the even ranks and one over the odd ranks count messages on MPI_COMM_WORLD, but
// only between their members.
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

// --- sessions ---

// Sessions that overlap or are nested; each is suspended, continued and reset independently.
void test_overlap(const Env& e) {
  Checks& t = e.t;
  const int next = (e.rank + 1) % e.size;
  Account first(e.size), second(e.size), third(e.size);
  const auto send = [&](int ints, std::initializer_list<Account*> watching) {
    ring(MPI_COMM_WORLD, 1, ints);
    for (Account* a : watching) a->add(next, 4UL * ints);
  };
  send(1, {});
  const MPI_M_msid a = started(t);
  send(2, {&first});
  const MPI_M_msid b = started(t);
  CHECK_TRUE(a != b);
  send(3, {&first, &second});
  suspend(t, a);
  send(4, {&second});
  const MPI_M_msid c = started(t);
  // Getting the data of one session while others are active: they do not count the library's own messages for this.
  expect_data(t, first, a);
  Numbers matrix(static_cast<size_t>(e.size) * e.size);
  CHECK_EQ(MPI_SUCCESS, MPI_M_allgather_data(a, matrix.data(), MPI_M_DATA_IGNORE, MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_SUCCESS, MPI_M_rootgather_data(a, 0, matrix.data(), MPI_M_DATA_IGNORE, MPI_M_P2P_ONLY));
  const MPI_M_msid d = started(t);
  suspend(t, d);
  free_session(t, d);
  send(5, {&second, &third});
  go_on(t, a);
  send(6, {&first, &second, &third});
  suspend(t, c);
  suspend(t, b);
  suspend(t, a);
  expect_data(t, first, a);
  expect_data(t, second, b);
  expect_data(t, third, c);
  CHECK_EQ(MPI_SUCCESS, MPI_M_reset(b));
  second.clear();
  expect_data(t, second, b);
  expect_data(t, first, a);
  go_on(t, b);
  send(7, {&second});
  suspend(t, b);
  expect_data(t, second, b);
  expect_data(t, first, a);

  // Continues all sessions that are suspended.
  CHECK_EQ(MPI_SUCCESS, MPI_M_continue(a));
  CHECK_EQ(MPI_SUCCESS, MPI_M_continue(MPI_M_ALL_MSID));
  CHECK_EQ(MPI_SUCCESS, MPI_M_continue(MPI_M_ALL_MSID));  // no such session is not an error
  send(8, {&first, &second, &third});
  suspend(t, b);
  CHECK_EQ(MPI_SUCCESS, MPI_M_suspend(MPI_M_ALL_MSID));
  CHECK_EQ(MPI_M_SESSION_SUSPENDED, MPI_M_suspend(c));
  expect_data(t, third, c);
  go_on(t, c);
  CHECK_EQ(MPI_SUCCESS, MPI_M_reset(MPI_M_ALL_MSID));
  suspend(t, c);
  first.clear();
  second.clear();
  expect_data(t, first, a);
  expect_data(t, second, b);
  expect_data(t, third, c);
  go_on(t, b);
  CHECK_EQ(MPI_SUCCESS, MPI_M_free(MPI_M_ALL_MSID));
  CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_suspend(a));
  CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_suspend(c));
  suspend(t, b);
  CHECK_EQ(MPI_SUCCESS, MPI_M_free(MPI_M_ALL_MSID));
  CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_get_info(b, nullptr, nullptr));
  CHECK_EQ(MPI_SUCCESS, MPI_M_free(MPI_M_ALL_MSID));
}

void test_gathers(const Env& e) {
  Checks& t = e.t;
  const MPI_M_msid id = started(t);
  for (int distance = 1; distance < e.size; distance *= 2) ring(MPI_COMM_WORLD, distance, e.rank + distance);
  suspend(t, id);
  const size_t n = e.size;
  Numbers counts(n * n, 99), sizes(n * n, 99), expected_counts(n * n), expected_sizes(n * n);
  for (int r = 0; r < e.size; ++r) {
    for (int distance = 1; distance < e.size; distance *= 2) {
      expected_counts[r * n + (r + distance) % n] += 1;
      expected_sizes[r * n + (r + distance) % n] += 4UL * (r + distance);
    }
  }
  CHECK_EQ(MPI_SUCCESS, MPI_M_allgather_data(id, counts.data(), sizes.data(), MPI_M_P2P_ONLY));
  CHECK_EQ(expected_counts, counts);
  CHECK_EQ(expected_sizes, sizes);
  for (int root = 0; root < e.size; root += 3) {
    std::fill(counts.begin(), counts.end(), 99);
    std::fill(sizes.begin(), sizes.end(), 99);
    const bool gets = e.rank == root;
    CHECK_EQ(MPI_SUCCESS, MPI_M_rootgather_data(id, root, counts.data(),
                                                gets && root > 0 ? MPI_M_DATA_IGNORE : sizes.data(), MPI_M_P2P_ONLY));
    CHECK_EQ(gets ? expected_counts : Numbers(n * n, 99), counts);
    CHECK_EQ(gets && root == 0 ? expected_sizes : Numbers(n * n, 99), sizes);
  }
  // Each rank may ask for different data of its own.
  Numbers mine(n);
  CHECK_EQ(MPI_SUCCESS, MPI_M_get_data(id, e.rank % 2 == 0 ? mine.data() : MPI_M_DATA_IGNORE, MPI_M_DATA_IGNORE,
                                       e.rank % 2 == 0 ? MPI_M_P2P_ONLY : MPI_M_ALL_COMM));
  if (e.rank % 2 == 0) {
    CHECK_EQ(Numbers(expected_counts.begin() + e.rank * n, expected_counts.begin() + (e.rank + 1) * n), mine);
  }
  free_session(t, id);
}

// --- errors ---

// The error `one` on rank `who`, MPI_M_OTHER_PROCESS on the others.
int of_one(const Env& e, int who, int one) { return e.rank == who ? one : MPI_M_OTHER_PROCESS; }

void test_errors(const Env& e) {
  Checks& t = e.t;
  const int last = e.size - 1;
  Numbers mine(static_cast<size_t>(e.size) * e.size);
  CHECK_EQ(MPI_M_MULTIPLE_INIT, MPI_M_init());
  // A start with a wrong argument on one rank.
  MPI_M_msid id = -7;
  CHECK_EQ(of_one(e, 0, MPI_M_INVALID_ARGUMENT), MPI_M_start(MPI_COMM_WORLD, e.rank == 0 ? nullptr : &id));
  CHECK_EQ(-7, id);
  CHECK_EQ(MPI_M_INVALID_COMM, MPI_M_start(MPI_COMM_NULL, &id));
  if (e.size > 1) {
    MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, e.rank == 0 ? 0 : 1, 0, &half);
    // SMPI has no intercommunicators; with one, Open MPI 4.1's monitoring component ends in a segmentation fault.
    if (e.provider == "pmpi") {
      MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, e.rank == 0 ? 1 : 0, 3, &inter);
      CHECK_EQ(MPI_M_INVALID_COMM, MPI_M_start(inter, &id));
      MPI_Comm_free(&inter);
    }
    MPI_Comm_free(&half);
  }
  id = started(t);
  int provided = 0, size = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_M_get_info(id, &provided, &size));
  CHECK_EQ(e.size, size);
  CHECK_TRUE((provided & MPI_M_P2P_ONLY) != 0);
  CHECK_EQ(e.simulated(), (provided & MPI_M_SEES_DECOMPOSED) != 0 && e.provider != "openmpi");
  CHECK_EQ(MPI_SUCCESS, MPI_M_get_info(id, MPI_M_INT_IGNORE, MPI_M_INT_IGNORE));
  // An active session.
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_continue(id));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_reset(id));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_free(id));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_get_data(id, mine.data(), mine.data(), MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_allgather_data(id, mine.data(), mine.data(), MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_rootgather_data(id, 0, mine.data(), mine.data(), MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_flush(id, "never", MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_rootflush(id, 0, "never", MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_M_SESSIONS_LEFT, MPI_M_finalize());
  // One process has not suspended the session.
  if (e.size > 1) {
    if (e.rank != last) suspend(t, id);
    CHECK_EQ(of_one(e, last, MPI_M_SESSION_ACTIVE), MPI_M_get_data(id, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(of_one(e, last, MPI_M_SESSION_ACTIVE), MPI_M_free(id));
    CHECK_EQ(of_one(e, last, MPI_M_SESSION_ACTIVE), MPI_M_free(MPI_M_ALL_MSID));
    if (e.rank == last) suspend(t, id);
  } else {
    suspend(t, id);
  }
  // A suspended session.
  CHECK_EQ(MPI_M_SESSION_SUSPENDED, MPI_M_suspend(id));
  CHECK_EQ(MPI_M_SESSIONS_LEFT, MPI_M_finalize());
  // Flags and roots that are wrong on all ranks, wrong on one rank, or different.
  for (const int flags : {0, 8, 16 | MPI_M_P2P_ONLY, -1, INT_MIN}) {
    CHECK_EQ(MPI_M_INVALID_FLAGS, MPI_M_get_data(id, mine.data(), nullptr, flags));
    CHECK_EQ(of_one(e, last, MPI_M_INVALID_FLAGS),
             MPI_M_get_data(id, mine.data(), nullptr, e.rank == last ? flags : MPI_M_P2P_ONLY));
    CHECK_EQ(of_one(e, last, MPI_M_INVALID_FLAGS), MPI_M_flush(id, "never", e.rank == last ? flags : MPI_M_P2P_ONLY));
  }
  const int different = e.rank == last ? MPI_M_ALL_COMM : MPI_M_P2P_ONLY;
  if (e.size > 1) {
    CHECK_EQ(MPI_M_INVALID_FLAGS, MPI_M_allgather_data(id, mine.data(), nullptr, different));
    CHECK_EQ(MPI_M_INVALID_FLAGS, MPI_M_rootgather_data(id, 0, mine.data(), nullptr, different));
    CHECK_EQ(MPI_M_INVALID_FLAGS, MPI_M_rootflush(id, 0, "never", different));
    CHECK_EQ(MPI_M_INVALID_ARGUMENT,
             MPI_M_rootgather_data(id, e.rank == last ? 1 : 0, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(MPI_M_INVALID_ARGUMENT, MPI_M_rootflush(id, e.rank == last ? 1 : 0, "never", MPI_M_P2P_ONLY));
  }
  for (const int root : {-1, e.size, INT_MAX, INT_MIN}) {
    CHECK_EQ(MPI_M_INVALID_ARGUMENT, MPI_M_rootgather_data(id, root, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(of_one(e, last, MPI_M_INVALID_ARGUMENT),
             MPI_M_rootflush(id, e.rank == last ? root : 0, "never", MPI_M_P2P_ONLY));
  }
  CHECK_EQ(of_one(e, 0, MPI_M_INVALID_ARGUMENT), MPI_M_flush(id, e.rank == 0 ? nullptr : "never", MPI_M_P2P_ONLY));
  CHECK_EQ(of_one(e, 0, MPI_M_INVALID_ARGUMENT), MPI_M_rootflush(id, 0, nullptr, MPI_M_P2P_ONLY));
  // Sessions that do not exist: never started, freed, or of another process.
  int others = id;
  MPI_Bcast(&others, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (e.rank != 0) CHECK_TRUE(others != id);
  std::vector<MPI_M_msid> foreign = {MPI_M_MSID_NULL, -2, INT_MIN, INT_MAX};
  if (e.rank != 0) foreign.push_back(others);
  const auto expect_invalid = [&](MPI_M_msid what) {
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_suspend(what));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_continue(what));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_reset(what));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_free(what));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_get_info(what, nullptr, nullptr));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_get_data(what, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_allgather_data(what, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_rootgather_data(what, 0, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_flush(what, "never", MPI_M_P2P_ONLY));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_rootflush(what, 0, "never", MPI_M_P2P_ONLY));
  };
  for (const MPI_M_msid what : foreign) expect_invalid(what);
  CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_get_info(MPI_M_ALL_MSID, nullptr, nullptr));
  free_session(t, id);
  expect_invalid(id);
  const MPI_M_msid another = started(t);
  CHECK_TRUE(another != id);
  expect_invalid(id);
  suspend(t, another);
  free_session(t, another);
}

// Calls before, between and after environments. No environment exists when this begins and when it ends.
void test_environments(const Env& e) {
  Checks& t = e.t;
  for (int i = 0; i < 3; ++i) {
    MPI_M_msid id = MPI_M_MSID_NULL;
    Numbers mine(static_cast<size_t>(e.size) * e.size);
    CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_finalize());
    CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_start(MPI_COMM_WORLD, &id));
    CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_start(MPI_COMM_NULL, &id));
    for (const MPI_M_msid what : {MPI_M_MSID_NULL, MPI_M_ALL_MSID, 1}) {
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_suspend(what));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_continue(what));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_reset(what));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_free(what));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_get_info(what, nullptr, nullptr));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_get_data(what, mine.data(), nullptr, 1));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_allgather_data(what, mine.data(), nullptr, 1));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_rootgather_data(what, 0, mine.data(), nullptr, 1));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_flush(what, "never", 1));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_rootflush(what, 0, "never", 1));
    }
    CHECK_EQ(MPI_SUCCESS, MPI_M_init());
    // One process has left the environment.
    if (e.size > 1) {
      if (e.rank == 1) CHECK_EQ(MPI_SUCCESS, MPI_M_finalize());
      CHECK_EQ(of_one(e, 1, MPI_M_MISSING_INIT), MPI_M_start(MPI_COMM_WORLD, &id));
      if (e.rank == 1) CHECK_EQ(MPI_SUCCESS, MPI_M_init());
    }
    id = started(t);
    ring(MPI_COMM_WORLD, 1, 1);
    suspend(t, id);
    Account account(e.size);
    account.add((e.rank + 1) % e.size, 4);
    expect_data(t, account, id);
    free_session(t, id);
    CHECK_EQ(MPI_SUCCESS, MPI_M_finalize());
  }
  for (int code = 9001; code <= 9015; ++code) CHECK_TRUE(std::string(MPI_M_error_string(code)) != "unknown error");
  CHECK_EQ(std::string("unknown error"), std::string(MPI_M_error_string(9016)));
  CHECK_EQ(std::string("unknown error"), std::string(MPI_M_error_string(-1)));
}

// --- files ---

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_there(const std::string& file) { return ::access(file.c_str(), F_OK) == 0; }

// Files of a session in which one int goes around the ring. All ranks use the same `folder`.
void test_files(const Env& e, const std::string& folder) {
  Checks& t = e.t;
  const MPI_M_msid id = started(t);
  ring(MPI_COMM_WORLD, 1, 1);
  suspend(t, id);
  const std::string name = folder + "/ring", me = std::to_string(e.rank), next = std::to_string((e.rank + 1) % e.size);
  const std::string line = "E\t" + me + "\t" + next + "\t4 bytes\t1 msgs sent\n";
  CHECK_EQ(MPI_SUCCESS, MPI_M_flush(id, name.c_str(), MPI_M_P2P_ONLY));
  CHECK_EQ(line, text_of(name + "." + me + ".prof"));
  // Another kind of messages: a file without lines.
  CHECK_EQ(MPI_SUCCESS, MPI_M_flush(id, (name + "-osc").c_str(), MPI_M_OSC_ONLY));
  CHECK_TRUE(is_there(name + "-osc." + me + ".prof"));
  CHECK_EQ(std::string(), text_of(name + "-osc." + me + ".prof"));

  CHECK_EQ(MPI_SUCCESS, MPI_M_rootflush(id, 0, name.c_str(), MPI_M_P2P_ONLY));
  if (e.rank == 0) {
    std::string profile, counts, sizes, coordinates, size_coordinates;
    for (int r = 0; r < e.size; ++r) {
      const int to = (r + 1) % e.size;
      profile += "E\t" + std::to_string(r) + "\t" + std::to_string(to) + "\t4 bytes\t1 msgs sent\n";
      for (int c = 0; c < e.size; ++c) {
        counts += std::string(c > 0 ? " " : "") + (c == to ? "1" : "0");
        sizes += std::string(c > 0 ? " " : "") + (c == to ? "4" : "0");
      }
      counts += "\n";
      sizes += "\n";
      coordinates += std::to_string(r + 1) + " " + std::to_string(to + 1) + " 1\n";
      size_coordinates += std::to_string(r + 1) + " " + std::to_string(to + 1) + " 4\n";
    }
    const std::string n = std::to_string(e.size);
    const std::string head = "%%MatrixMarket matrix coordinate integer general\n% row: sender, column: receiver\n" + n +
                             " " + n + " " + n + "\n";
    CHECK_EQ(profile, text_of(name + ".prof"));
    CHECK_EQ(counts, text_of(name + "_msg_all.mat"));
    CHECK_EQ(sizes, text_of(name + "_size_all.mat"));
    CHECK_EQ(head + coordinates, text_of(name + "_msg.mtx"));
    CHECK_EQ(head + size_coordinates, text_of(name + "_size.mtx"));
  }

  // A file that one process cannot write: no data is lost, on any process.
  const int last = e.size - 1;
  const std::string nowhere = folder + "/nowhere/ring";
  go_on(t, id);
  ring(MPI_COMM_WORLD, 1, 2);
  suspend(t, id);
  const std::string full = name + "." + me + ".prof.new";
  if (e.rank == last) CHECK_EQ(0, ::symlink("/dev/full", full.c_str()));
  CHECK_EQ(of_one(e, last, MPI_M_FILE), MPI_M_flush(id, name.c_str(), MPI_M_P2P_ONLY));
  CHECK_EQ(line, text_of(name + "." + me + ".prof"));
  CHECK_TRUE(!is_there(full));
  CHECK_EQ(of_one(e, last, MPI_M_FILE),
           MPI_M_flush(id, e.rank == last ? nowhere.c_str() : name.c_str(), MPI_M_P2P_ONLY));
  CHECK_EQ(line, text_of(name + "." + me + ".prof"));
  CHECK_EQ(of_one(e, last, MPI_M_FILE), MPI_M_rootflush(id, last, nowhere.c_str(), MPI_M_P2P_ONLY));
  // A folder has the name of the last file: then the first files do not appear either.
  const std::string blocked = folder + "/blocked";
  if (e.rank == 0) CHECK_EQ(0, ::mkdir((blocked + "_size.mtx").c_str(), 0777));
  CHECK_EQ(of_one(e, 0, MPI_M_FILE), MPI_M_rootflush(id, 0, blocked.c_str(), MPI_M_P2P_ONLY));
  CHECK_TRUE(!is_there(blocked + ".prof"));
  CHECK_TRUE(!is_there(blocked + ".prof.new"));
  CHECK_EQ(MPI_SUCCESS, MPI_M_flush(id, name.c_str(), MPI_M_P2P_ONLY));
  CHECK_EQ("E\t" + me + "\t" + next + "\t12 bytes\t2 msgs sent\n", text_of(name + "." + me + ".prof"));
  free_session(t, id);
}

// --- collectives ---

// Numbers of empty messages by sender and receiver, as an algorithm sends them.
using Messages = Numbers;

Messages of_barrier(const std::string& name, int size) {
  Messages m(static_cast<size_t>(size) * size);
  const auto send = [&](int from, int to) { ++m[static_cast<size_t>(from) * size + to]; };
  int power = 1;  // the largest power of two up to size
  while (power * 2 <= size) power *= 2;
  for (int r = 0; r < size; ++r) {
    if (name == "linear" && r > 0) {
      send(r, 0);
      send(0, r);
    }
    if (name == "bruck") {
      for (int distance = 1; distance < size; distance *= 2) send(r, (r + distance) % size);
    }
    if (name == "doubling") {
      // Ranks beyond the power of two exchange messages with a partner.
      if (r >= power) {
        send(r, r - power);
        send(r - power, r);
      } else {
        for (int mask = 1; mask < power; mask *= 2) send(r, r ^ mask);
      }
    }
    if (name == "binomial" && r > 0) {
      const int parent = r - (1 << (31 - __builtin_clz(r)));  // rank without its highest bit
      send(r, parent);
      send(parent, r);
    }
  }
  return m;
}

// The paper's Listing 1.
template <class Barrier>
void expect_barrier(const Env& e, const std::string& algorithm, const Barrier& barrier, const std::string& folder) {
  Checks& t = e.t;
  barrier();  // the first call creates the library's communicator
  const MPI_M_msid id = started(t);
  barrier();
  suspend(t, id);
  const size_t n = e.size;
  const Messages expected = of_barrier(algorithm, e.size);
  Numbers counts(n * n), sizes(n * n);
  CHECK_EQ(MPI_SUCCESS, MPI_M_allgather_data(id, counts.data(), sizes.data(), MPI_M_P2P_ONLY));
  CHECK_EQ(expected, counts);
  CHECK_EQ(Numbers(n * n), sizes);
  const std::string name = folder + "/barrier";
  CHECK_EQ(MPI_SUCCESS, MPI_M_rootflush(id, 0, name.c_str(), MPI_M_P2P_ONLY));
  if (e.rank == 0) {
    const std::string kind = e.provider == "openmpi" ? "E" : "I";
    std::string profile;
    for (size_t from = 0; from < n; ++from) {
      for (size_t to = 0; to < n; ++to) {
        if (expected[from * n + to] == 0) continue;
        profile += kind + "\t" + std::to_string(from) + "\t" + std::to_string(to) + "\t0 bytes\t" +
                   std::to_string(expected[from * n + to]) + " msgs sent\n";
      }
    }
    CHECK_EQ(profile, text_of(name + ".prof"));
  }
  // As a called collective: from each rank to all others.
  Account called(e.size);
  if (e.provider != "openmpi" || algorithm == "never") {
    for (int r = 0; r < e.size; ++r) {
      if (r != e.rank) called.add(r, 0);
    }
    expect_data(t, called, id, MPI_M_COLL_ONLY);
  }
  free_session(t, id);
}

void test_barriers(const Env& e, const std::string& mpis, const std::string& folder) {
  const auto mpix = [&](int algorithm) { return [=] { MPIX_Barrier(MPI_COMM_WORLD, algorithm); }; };
  expect_barrier(e, "linear", mpix(MPIX_ALGORITHM_LINEAR), folder);
  expect_barrier(e, "binomial", mpix(MPIX_ALGORITHM_BINOMIAL), folder);
  expect_barrier(e, "doubling", mpix(MPIX_ALGORITHM_RECURSIVE_DOUBLING), folder);
  if (!mpis.empty())
    expect_barrier(
        e, mpis, [] { MPI_Barrier(MPI_COMM_WORLD); }, folder);
}

// Called collectives of mpix.h on communicators that are the session's, a part of it, or larger.
void test_called(const Env& e) {
  Checks& t = e.t;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, e.rank % 2, e.rank, &half);
  const int members = size_of(half), mine = rank_in(half);
  const int root = e.size - 1;
  std::vector<int> in(4UL * e.size), out(4UL * e.size);
  const auto call_all = [&](MPI_Comm comm, int of_root) {
    MPIX_Bcast(in.data(), 1, MPI_INT, of_root, comm, MPIX_ALGORITHM_BINOMIAL, 0);
    MPIX_Reduce(in.data(), out.data(), 2, MPI_INT, MPI_SUM, of_root, comm, MPIX_ALGORITHM_BINOMIAL, 0);
    MPIX_Allreduce(in.data(), out.data(), 3, MPI_INT, MPI_SUM, comm, MPIX_ALGORITHM_RECURSIVE_DOUBLING, 0);
    MPIX_Gather(in.data(), 4, MPI_INT, out.data(), 4, MPI_INT, of_root, comm, MPIX_ALGORITHM_LINEAR);
    MPIX_Scatter(in.data(), 4, MPI_INT, out.data(), 4, MPI_INT, of_root, comm, MPIX_ALGORITHM_BINOMIAL);
    MPIX_Allgather(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, comm, MPIX_ALGORITHM_RING);
    MPIX_Request request = MPIX_REQUEST_NULL;
    MPIX_Iscan(in.data(), out.data(), 5, MPI_INT, MPI_SUM, comm, &request);
    MPIX_Wait(&request);
  };
  const auto account = [&](int rank, int size, int of_root, const auto& add) {
    for (int r = 0; r < size; ++r) {
      if (r == rank) continue;
      if (rank == of_root) add(r, 4 + 16, 2);  // bcast, scatter
      if (r == of_root) add(r, 8 + 16, 2);     // reduce, gather
      add(r, 12 + 4, 2);                       // allreduce, allgather
      if (r > rank) add(r, 20, 1);             // scan
    }
  };
  call_all(MPI_COMM_WORLD, root);
  call_all(half, 0);
  const MPI_M_msid of_all = started(t), of_half = started(t, half);
  Account all(e.size), halves(members);
  call_all(MPI_COMM_WORLD, root);
  account(e.rank, e.size, root, [&](int r, int bytes, int messages) {
    all.add(r, bytes, messages);
    if (r % 2 == e.rank % 2) halves.add(r / 2, bytes, messages);
  });
  call_all(half, 0);
  account(mine, members, 0, [&](int r, int bytes, int messages) {
    all.add(2 * r + e.rank % 2, bytes, messages);
    halves.add(r, bytes, messages);
  });
  suspend(t, of_all);
  suspend(t, of_half);
  if (e.provider != "openmpi") {
    expect_data(t, all, of_all, MPI_M_COLL_ONLY);
    expect_data(t, halves, of_half, MPI_M_COLL_ONLY);
    // The messages of which they consist are internal messages.
    Numbers counts(static_cast<size_t>(e.size) * e.size);
    CHECK_EQ(MPI_SUCCESS, MPI_M_rootgather_data(of_all, 0, counts.data(), nullptr, MPI_M_P2P_ONLY));
    if (e.rank == 0 && e.size > 1) CHECK_TRUE(std::accumulate(counts.begin(), counts.end(), 0UL) > 0);
  }
  free_session(t, of_all);
  free_session(t, of_half);
  MPI_Comm_free(&half);
}

// --- one-sided ---

void test_one_sided(const Env& e) {
  Checks& t = e.t;
  if (e.size < 3) return;
  const int next = (e.rank + 1) % e.size, after = (e.rank + 2) % e.size;
  const int before = (e.rank + e.size - 1) % e.size, before2 = (e.rank + e.size - 2) % e.size;
  std::vector<long> out(16, 0), in(16);
  long* memory = nullptr;
  MPI_Win win;  // by MPI: Open MPI 4.1 cannot combine threads and a window of user memory within a node
  MPI_Win_allocate(16 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&memory), &win);
  std::fill(memory, memory + 16, 0);
  const MPI_M_msid id = started(t);
  Account account(e.size);
  MPI_Win_fence(0, win);
  MPI_Put(out.data(), 3, MPI_LONG, next, 0, 3, MPI_LONG, win);
  account.add(next, 24);
  MPI_Win_fence(0, win);
  MPI_Accumulate(out.data(), 2, MPI_LONG, after, 0, 2, MPI_LONG, MPI_SUM, win);
  account.add(after, 16);
  MPI_Win_fence(0, win);
  MPI_Get(in.data(), 5, MPI_LONG, next, 0, 5, MPI_LONG, win);
  account.add(before, 40);  // sent by this process to the one that gets the data
  MPI_Get(in.data() + 8, 1, MPI_LONG, next, 0, 1, MPI_LONG, win);
  account.add(before, 8);
  MPI_Win_fence(0, win);
  MPI_Get_accumulate(out.data(), 4, MPI_LONG, in.data(), 4, MPI_LONG, after, 0, 4, MPI_LONG, MPI_SUM, win);
  account.add(after, 32);
  account.add(before2, 32);
  MPI_Win_fence(0, win);
  MPI_Fetch_and_op(out.data(), in.data(), MPI_LONG, next, 9, MPI_SUM, win);
  account.add(next, 8);
  account.add(before, 8);
  MPI_Win_fence(0, win);
  long zero = 0;
  MPI_Compare_and_swap(out.data(), &zero, in.data(), MPI_LONG, next, 10, win);
  account.add(next, 8);
  account.add(before, 8);
  MPI_Put(out.data(), 3, MPI_LONG, MPI_PROC_NULL, 0, 3, MPI_LONG, win);
  MPI_Win_fence(0, win);
  suspend(t, id);
  if (e.provider != "openmpi") expect_data(t, account, id, MPI_M_OSC_ONLY);
  // A second query gives the same: transfers are not counted twice.
  if (e.provider != "openmpi") expect_data(t, account, id, MPI_M_OSC_ONLY);
  free_session(t, id);
  MPI_Win_free(&win);
}

// --- threads ---

// Two threads of each rank send, and have their own sessions; a further session over all ranks counts both.
void test_threads(const Env& e) {
  Checks& t = e.t;
  MPI_Comm comms[2];
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const MPI_M_msid both = started(t);
  Checks parts[2] = {Checks(e.rank), Checks(e.rank)};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      Checks& t = parts[i];
      for (int cycle = 0; cycle < 20; ++cycle) {
        const MPI_M_msid own = started(t, comms[i]);
        for (int k = 0; k < 10; ++k) ring(comms[i], 1, 2 + i);
        suspend(t, own);
        Numbers counts(e.size);
        CHECK_EQ(MPI_SUCCESS, MPI_M_get_data(own, counts.data(), nullptr, MPI_M_P2P_ONLY));
        CHECK_TRUE(counts[(e.rank + 1) % e.size] >= 10);  // messages of both threads
        free_session(t, own);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  t.add(parts[0]);
  t.add(parts[1]);
  suspend(t, both);
  Account account(e.size);
  account.add((e.rank + 1) % e.size, 200 * (8 + 12), 400);
  expect_data(t, account, both);
  free_session(t, both);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

void test_all_but_barriers(const Env& e, const std::string& folder, int thread_level) {
  e.t.run("sends", [&] { test_sends(e); });
  e.t.run("membership", [&] { test_membership(e); });
  e.t.run("overlap", [&] { test_overlap(e); });
  e.t.run("gathers", [&] { test_gathers(e); });
  e.t.run("errors", [&] { test_errors(e); });
  e.t.run("files", [&] { test_files(e, folder); });
  e.t.run("called collectives", [&] { test_called(e); });
  e.t.run("one sided", [&] { test_one_sided(e); });
  if (thread_level == MPI_THREAD_MULTIPLE && !e.simulated() && e.provider != "openmpi")
    e.t.run("threads", [&] { test_threads(e); });
}

int test(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  int level = MPI_THREAD_SINGLE;
  Numbers none(1);
  const int before = MPI_M_init();
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  Checks t(rank_in(MPI_COMM_WORLD));
  CHECK_EQ(MPI_M_MISSING_INIT, before);
  std::string provider, barrier, only, folder;
  for (const std::string& word : words) {
    if (word.starts_with("barrier=")) {
      barrier = word.substr(8);
    } else if (word == "barriers") {
      only = word;
    } else {
      provider = word;
    }
  }
  const Env e{t, provider, rank_in(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD)};
  std::array<char, 256> name{};
  if (e.rank == 0) {
    std::string pattern = std::string(std::getenv("TMPDIR")) + "/monitoringXXXXXX";
    pattern.copy(name.data(), name.size() - 1);
    CHECK_TRUE(::mkdtemp(name.data()) != nullptr);
  }
  MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  folder = name.data();

  if (only != "barriers") e.t.run("environments", [&] { test_environments(e); });
  CHECK_EQ(MPI_SUCCESS, MPI_M_init());
  e.t.run("barriers", [&] { test_barriers(e, barrier, folder); });
  if (only != "barriers") test_all_but_barriers(e, folder, level);
  CHECK_EQ(MPI_SUCCESS, MPI_M_finalize());
  const int verdict = t.finish();
  MPI_Finalize();
  if (MPI_M_init() != MPI_M_MISSING_INIT) return 2;
  return verdict;
}

}  // namespace
}  // namespace strata::mpix::testing

int main(int argc, char** argv) { return strata::mpix::testing::test(argc, argv); }
