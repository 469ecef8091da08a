// SPDX-License-Identifier: LGPL-2.1-only
// Messages that a program sends: blocking and nonblocking sends, persistent requests, on several communicators.
#include <mpi.h>

#include <array>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/tap/session.h"
#include "tests/mpi_ext/tap/tests.h"

namespace strata::mpix::testing {

void check_sends(Session& s) {
  const int me = rank_in(MPI_COMM_WORLD);
  std::array<int, 64> data{}, other{};
  // Three elements of two ints with gaps between them: 24 bytes of data.
  MPI_Datatype pairs;
  MPI_Type_vector(3, 2, 5, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  const auto receive = [&](int source) {
    MPI_Request request;
    MPI_Irecv(other.data(), 6, MPI_INT, source, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    return request;
  };
  // Rank 0 sends to rank 2, which receives from any source. The receive is posted before, because MPI_Rsend needs it.
  const auto send = [&](const char* what, const std::function<void()>& sends) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (me == 2) request = receive(MPI_ANY_SOURCE);
    start_together(MPI_COMM_WORLD);
    s.check(what, "EICS",
            [&] {
              if (me == 0) sends();
              if (me == 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
            },
            {{kE, 0, 2, 24}});
  };
  using Blocking = int(const void*, int, MPI_Datatype, int, int, MPI_Comm);
  for (const auto& [name, function] : std::initializer_list<std::pair<const char*, Blocking*>>{
           {"MPI_Send", MPI_Send}, {"MPI_Ssend", MPI_Ssend}, {"MPI_Rsend", MPI_Rsend}}) {
    send(name, [&, f = function] { f(data.data(), 1, pairs, 2, 7, MPI_COMM_WORLD); });
  }
  using Nonblocking = int(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  for (const auto& [name, function] : std::initializer_list<std::pair<const char*, Nonblocking*>>{
           {"MPI_Isend", MPI_Isend}, {"MPI_Issend", MPI_Issend}, {"MPI_Irsend", MPI_Irsend}}) {
    send(name, [&, f = function] {
      MPI_Request request;
      f(data.data(), 1, pairs, 2, 7, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
  }
  std::vector<char> buffer(1000 + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
  send("MPI_Bsend", [&] { MPI_Bsend(data.data(), 1, pairs, 2, 7, MPI_COMM_WORLD); });
  send("MPI_Ibsend", [&] {
    MPI_Request request;
    MPI_Ibsend(data.data(), 1, pairs, 2, 7, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  void* detached = nullptr;
  int size = 0;
  MPI_Buffer_detach(static_cast<void*>(&detached), &size);
  // Created while no rank listens; a request that is freed and created again is a different one.
  for (const auto& [name, function] : std::initializer_list<std::pair<const char*, Nonblocking*>>{
           {"MPI_Send_init", MPI_Send_init}, {"MPI_Ssend_init", MPI_Ssend_init}, {"MPI_Rsend_init", MPI_Rsend_init}}) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (me == 0) function(data.data(), 1, pairs, 2, 7, MPI_COMM_WORLD, &request);
    send(name, [&] {
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
    if (me == 0) MPI_Request_free(&request);
  }
  std::array<MPI_Request, 2> both = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (me == 0) {
    MPI_Send_init(data.data(), 6, MPI_INT, 2, 7, MPI_COMM_WORLD, &both[0]);
    MPI_Recv_init(other.data(), 6, MPI_INT, 2, 7, MPI_COMM_WORLD, &both[1]);
  }
  s.check("MPI_Startall", "EICS",
          [&] {
            if (me == 0) {
              MPI_Startall(2, both.data());
              MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
            } else if (me == 2) {
              MPI_Recv(other.data(), 6, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
              MPI_Send(data.data(), 2, MPI_INT, 0, 7, MPI_COMM_WORLD);
            }
          },
          {{kE, 0, 2, 24}, {kE, 2, 0, 8}});
  if (me == 0) {
    for (MPI_Request& request : both) MPI_Request_free(&request);
  }

  const int next = (me + 1) % kRanks, before = (me + kRanks - 1) % kRanks;
  const auto ring = [](long bytes) {
    return each_pair(kE, [bytes](int from, int to) { return to == (from + 1) % kRanks ? bytes : -1; });
  };
  s.check(
      "MPI_Sendrecv", "EICS",
      [&] {
        MPI_Sendrecv(data.data(), 3, MPI_INT, next, 0, other.data(), 3, MPI_INT, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
      },
      ring(12));
  s.check(
      "MPI_Sendrecv_replace", "EICS",
      [&] { MPI_Sendrecv_replace(data.data(), 5, MPI_INT, next, 0, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); },
      ring(20));
  s.check(
      "a message of no bytes", "EICS",
      [&] {
        MPI_Sendrecv(nullptr, 0, MPI_INT, next, 0, nullptr, 0, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      },
      ring(0));
  s.check("MPI_PROC_NULL", "EICS",
          [&] {
            MPI_Request request;
            MPI_Send(data.data(), 3, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
            MPI_Isend(data.data(), 3, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
          },
          {});
  // On communicators with the ranks of the world in reverse; each is freed before the next is created.
  for (int round = 0; round < 3; ++round) {
    MPI_Comm backwards;
    MPI_Comm_split(MPI_COMM_WORLD, 0, round == 1 ? me : -me, &backwards);
    s.check("another communicator", "EICS",
            [&] {
              if (rank_in(backwards) == 0) MPI_Send(data.data(), 1, MPI_INT, 2, 0, backwards);
              if (rank_in(backwards) == 2) MPI_Recv(data.data(), 1, MPI_INT, 0, 0, backwards, MPI_STATUS_IGNORE);
            },
            {round == 1 ? Told{kE, 0, 2, 4} : Told{kE, 3, 1, 4}});
    MPI_Comm_free(&backwards);
  }
  MPI_Type_free(&pairs);
}

}  // namespace strata::mpix::testing
