// SPDX-License-Identifier: LGPL-2.1-only
// The messages of which SMPI's collectives consist.
#include <mpi.h>

#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/tap/session.h"
#include "tests/mpi_ext/tap/tests.h"

namespace strata::mpix::testing {

// SMPI's collectives as the messages of which they consist.
void check_decomposed(Checks& t, Session& s) {
  std::vector<int> in(1000), out(4000);
  for (int root = 0; root < kRanks; ++root) {
    // In a binomial tree, the parent of the r-th rank after the root is r without its lowest bit that is set.
    const List tree = each_pair(kI, [root](int from, int to) {
      const int parent = (from - root + kRanks) % kRanks, child = (to - root + kRanks) % kRanks;
      return child != 0 && (child & (child - 1)) == parent ? 400 : -1;
    });
    s.check(
        "a binomial broadcast", "EIS", [&] { MPI_Bcast(in.data(), 100, MPI_INT, root, MPI_COMM_WORLD); }, tree);
  }
  const auto butterfly = [](long bytes) {
    return each_pair(kI, [bytes](int from, int to) { return (from ^ to) == 1 || (from ^ to) == 2 ? bytes : -1; });
  };
  s.check(
      "a barrier of recursive doubling", "EIS", [&] { MPI_Barrier(MPI_COMM_WORLD); }, butterfly(0));
  s.check(
      "an allreduce of recursive doubling", "EIS",
      [&] { MPI_Allreduce(in.data(), out.data(), 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }, butterfly(400));
  s.check(
      "an alltoall of all at once", "EIS",
      [&] { MPI_Alltoall(in.data(), 100, MPI_INT, out.data(), 100, MPI_INT, MPI_COMM_WORLD); },
      each_pair(kI, [](int, int) { return 400; }));
  // All operations: the tap must report as many as the network carried, plus the collectives that were called.
  long carried = 0, called = 0;
  const long told = s.count([&] {
    const int me = rank_in(MPI_COMM_WORLD);
    const long before = messages_sent();
    let_others_finish(MPI_COMM_WORLD);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
    for (int root = 0; root < size_of(half); ++root) MPI_Bcast(in.data(), 1000, MPI_INT, root, half);
    MPI_Comm_free(&half);
    MPI_Win win;
    MPI_Win_create(out.data(), sizeof(int) * out.size(), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(in.data(), 10, MPI_INT, (me + 1) % kRanks, 0, 10, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Get(in.data(), 10, MPI_INT, (me + 2) % kRanks, 0, 10, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Request request;
    MPI_Iallgather(in.data(), 10, MPI_INT, out.data(), 10, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Sendrecv(in.data(), 1, MPI_INT, me, 0, out.data(), 1, MPI_INT, me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    let_others_finish(MPI_COMM_WORLD);
    carried = messages_sent() - before;
    // Two broadcasts in each half, and an allgather between all pairs.
    called = 2L * 2 * 1 + 1L * kRanks * (kRanks - 1);
  });
  if (rank_in(MPI_COMM_WORLD) == 0) {
    CHECK_TRUE(carried > 50);
    CHECK_EQ(carried, told - called);
  }
}

}  // namespace strata::mpix::testing
