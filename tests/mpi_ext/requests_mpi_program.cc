// SPDX-License-Identifier: LGPL-2.1-only
// A program that uses only MPI: persistent requests of all kinds, completed in all ways, and requests that are freed or
// cancelled while they are active. Runs under SMPI, with Strata's functions preloaded, and under Open MPI and MPICH.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace {

using namespace strata::mpix::testing;  // NOLINT: the checks

constexpr int kRounds = 12;
// Elements of a message: none, eager, and one that waits for its receive (an MPI's limit is at most 1 MiB).
constexpr std::array kLengths = {0, 3, 200'000};

enum class Way { kWait, kTest, kWaitall, kTestall, kWaitany, kTestany, kWaitsome, kTestsome, kStatus };
#ifdef MPICH_VERSION  // MPI_Request_get_status of MPICH 4.0 gives no status of a persistent request
constexpr std::array kWays = {Way::kWait,    Way::kTest,    Way::kWaitall,  Way::kTestall,
                              Way::kWaitany, Way::kTestany, Way::kWaitsome, Way::kTestsome};
#else
constexpr std::array kWays = {Way::kWait,    Way::kTest,     Way::kWaitall,  Way::kTestall, Way::kWaitany,
                              Way::kTestany, Way::kWaitsome, Way::kTestsome, Way::kStatus};
#endif

enum class Send { kStandard, kSynchronous, kBuffered, kReady };
constexpr std::array kSends = {Send::kStandard, Send::kSynchronous, Send::kBuffered, Send::kReady};

// Whether a persistent request of MPI_PROC_NULL is complete only once, with the status that the standard requires (MPI
// 4.0, Section 3.10). In Open MPI 4.1 and MPICH 4.0 it is as if it were inactive.
#ifdef SMPI_H
constexpr bool kKnowsNoProcess = true;
#else
constexpr bool kKnowsNoProcess = false;
#endif

int value(int rank, int round, int i) { return 100'000 * rank + 1'000 * round + i % 997; }

// In place, because requests know the addresses.
void fill(std::vector<int>& data, int rank, int round) {
  for (int i = 0; int& element : data) element = value(rank, round, i++);
}

std::vector<int> message(int rank, int round, int length) {
  std::vector<int> data(length);
  fill(data, rank, round);
  return data;
}

int count_of(const MPI_Status& status) {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  return count;
}

int cancelled(const MPI_Status& status) {
  int flag = -1;
  MPI_Test_cancelled(&status, &flag);
  return flag == 0 ? 0 : 1;
}

// Completes all requests in one way. The statuses, by request.
std::vector<MPI_Status> complete(Checks& t, Way way, std::vector<MPI_Request>& requests) {
  const int count = static_cast<int>(requests.size());
  std::vector<MPI_Status> statuses(requests.size()), some(requests.size());
  std::vector<int> indices(requests.size());
  int done = 0, flag = 0, index = -1, found = 0;
  switch (way) {
    case Way::kWait:
      for (int i = 0; i < count; ++i) CHECK_EQ(MPI_SUCCESS, MPI_Wait(&requests[i], &statuses[i]));
      break;
    case Way::kTest:
      for (int i = 0; i < count; ++i) {
        for (flag = 0; flag == 0;) MPI_Test(&requests[i], &flag, &statuses[i]);
      }
      break;
    case Way::kWaitall:
      CHECK_EQ(MPI_SUCCESS, MPI_Waitall(count, requests.data(), statuses.data()));
      break;
    case Way::kTestall:
      while (flag == 0) MPI_Testall(count, requests.data(), &flag, statuses.data());
      break;
    case Way::kWaitany:
    case Way::kTestany:
      for (; done < count; ++done) {
        MPI_Status status;
        if (way == Way::kWaitany) CHECK_EQ(MPI_SUCCESS, MPI_Waitany(count, requests.data(), &index, &status));
        for (flag = 0; way == Way::kTestany && flag == 0;) MPI_Testany(count, requests.data(), &index, &flag, &status);
        CHECK_TRUE(index >= 0 && index < count);
        if (index < 0 || index >= count) return statuses;
        statuses[index] = status;
      }
      break;
    case Way::kWaitsome:
    case Way::kTestsome:
      for (; done < count; done += found) {
        if (way == Way::kWaitsome) {
          CHECK_EQ(MPI_SUCCESS, MPI_Waitsome(count, requests.data(), &found, indices.data(), some.data()));
        } else {
          MPI_Testsome(count, requests.data(), &found, indices.data(), some.data());
        }
        CHECK_TRUE(found >= 0);
        if (found < 0) return statuses;
        for (int i = 0; i < found; ++i) statuses[indices[i]] = some[i];
      }
      break;
    case Way::kStatus:
      for (int i = 0; i < count; ++i) {
        for (flag = 0; flag == 0;) MPI_Request_get_status(requests[i], &flag, &statuses[i]);
        MPI_Status again;
        CHECK_EQ(MPI_SUCCESS, MPI_Wait(&requests[i], &again));
        CHECK_EQ(cancelled(again), cancelled(statuses[i]));
        if (cancelled(again) != 0) continue;
        CHECK_EQ(again.MPI_SOURCE, statuses[i].MPI_SOURCE);
        CHECK_EQ(again.MPI_TAG, statuses[i].MPI_TAG);
      }
      break;
  }
  // Now all are inactive, and complete with an empty status.
  MPI_Status none;
  index = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Waitany(count, requests.data(), &index, &none));
  CHECK_EQ(MPI_UNDEFINED, index);
  CHECK_EQ(MPI_SUCCESS, MPI_Waitsome(count, requests.data(), &found, indices.data(), some.data()));
  CHECK_EQ(MPI_UNDEFINED, found);
  CHECK_EQ(MPI_SUCCESS, MPI_Testall(count, requests.data(), &flag, MPI_STATUSES_IGNORE));
  CHECK_TRUE(flag);
  for (flag = 0; MPI_Request & request : requests) {
    CHECK_EQ(MPI_SUCCESS, MPI_Test(&request, &flag, &none));
    CHECK_TRUE(flag);
    CHECK_EQ(MPI_ANY_SOURCE, none.MPI_SOURCE);
    CHECK_EQ(MPI_ANY_TAG, none.MPI_TAG);
    CHECK_EQ(0, count_of(none));
  }
  return statuses;
}

MPI_Request init_send(Checks& t, Send kind, const std::vector<int>& data, int to, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  const auto count = static_cast<int>(data.size());
  using Init = int(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  Init* const init = kind == Send::kStandard      ? MPI_Send_init
                     : kind == Send::kSynchronous ? MPI_Ssend_init
                     : kind == Send::kBuffered    ? MPI_Bsend_init
                                                  : MPI_Rsend_init;
  CHECK_EQ(MPI_SUCCESS, init(data.data(), count, MPI_INT, to, tag, comm, &request));
  return request;
}

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

void check_errors(Checks& t, MPI_Comm comm) {
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  MPI_Request request = MPI_REQUEST_NULL;
  int x = 0, error = -1;
  MPI_Error_class(MPI_Send_init(&x, -1, MPI_INT, 0, 0, own, &request), &error);
  CHECK_EQ(MPI_ERR_COUNT, error);
  MPI_Error_class(MPI_Send_init(&x, 1, MPI_INT, size_of(own), 0, own, &request), &error);
  CHECK_EQ(MPI_ERR_RANK, error);
  MPI_Error_class(MPI_Recv_init(&x, 1, MPI_DATATYPE_NULL, 0, 0, own, &request), &error);
  CHECK_EQ(MPI_ERR_TYPE, error);
  MPI_Comm_free(&own);
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

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const MPI_Comm world = MPI_COMM_WORLD;
  const int size = size_of(world);
  Checks t(rank_in(world));
  const int room = 2 * (size + 2) * (4 * 200'000 + MPI_BSEND_OVERHEAD);
  std::vector<char> attached(room);
  const auto buffered = [&](bool attach, const auto& check) {
    if (attach) MPI_Buffer_attach(attached.data(), room);
    check();
    void* buffer = nullptr;
    int bytes = 0;
    if (attach) MPI_Buffer_detach(&buffer, &bytes);
  };
  for (const int length : kLengths) {
    const std::string of = ", " + std::to_string(length) + " ints";
    for (const Way way : kWays) {
      if (length > 1'000 && way != Way::kWait && way != Way::kTestany && way != Way::kWaitsome) continue;
      for (const Send kind : kSends) {
        if (!kKnowsNoProcess && kind == Send::kBuffered && length > 1'000) continue;  // Open MPI 4.1 sends zeros
        t.run("rounds" + of,
              [&] { buffered(kind == Send::kBuffered, [&] { check_rounds(t, world, kind, way, length); }); });
      }
    }
    if (length == 0) continue;
    t.run("derived types" + of, [&] { check_derived(t, world, length); });
    t.run("freed" + of, [&] {
      check_freed(t, world, true, length);
      check_freed(t, world, false, length);
    });
  }
  for (const bool restart : {false, true}) {
    t.run("ahead, buffered", [&] { buffered(true, [&] { check_ahead(t, world, Send::kBuffered, restart); }); });
    // The caller knows that these are eager.
    if (argc > 1) t.run("ahead, eager", [&] { check_ahead(t, world, Send::kStandard, restart); });
  }
  t.run("partly complete", [&] { check_partly_complete(t, world); });
  for (const Way way : kWays) t.run("cancelled", [&] { check_cancelled(t, world, way); });
#ifdef SMPI_H
  t.run("cancelled send, short", [&] { check_cancelled_send(t, world, 4); });
  t.run("cancelled send, long", [&] { check_cancelled_send(t, world, 200'000); });
#endif
  t.run("errors", [&] { check_errors(t, world); });
  const int code = t.finish();
  std::vector<int> data;
  leave_to_finalize(200'000, data);
  MPI_Finalize();
  return code;
}
