// SPDX-License-Identifier: LGPL-2.1-only
// Messages of barriers, by algorithm, and called collectives.
#include <mpi.h>

#include <numeric>
#include <string>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/monitoring/accounts.h"
#include "tests/mpi_ext/monitoring/tests.h"

namespace strata::mpix::testing {
namespace {

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

}  // namespace

void test_barriers(const Env& e, const std::string& mpis, const std::string& folder) {
  const auto mpix = [&](int algorithm) { return [=] { MPIX_Barrier(MPI_COMM_WORLD, algorithm); }; };
  expect_barrier(e, "linear", mpix(MPIX_ALGORITHM_LINEAR), folder);
  expect_barrier(e, "binomial", mpix(MPIX_ALGORITHM_BINOMIAL), folder);
  expect_barrier(e, "doubling", mpix(MPIX_ALGORITHM_RECURSIVE_DOUBLING), folder);
  if (!mpis.empty())
    expect_barrier(
        e, mpis, [] { MPI_Barrier(MPI_COMM_WORLD); }, folder);
}

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

}  // namespace strata::mpix::testing
