// SPDX-License-Identifier: LGPL-2.1-only
// Calls of all collectives.
#include <mpi.h>

#include <array>
#include <functional>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/tap/session.h"
#include "tests/mpi_ext/tap/tests.h"

namespace strata::mpix::testing {

// Every collective, blocking and nonblocking, on a communicator with the ranks of the world. Counts differ between
// ranks if the collective allows it: 1 to 4 ints.
void check_collectives(Session& s) {
  const int me = rank_in(MPI_COMM_WORLD);
  constexpr int kRoot = 1;
  constexpr int kLargest = 4 * kRanks * kRanks;
  std::vector<int> in(kLargest, 1), out(kLargest);
  std::vector<int> counts, at;  // block of rank r: r + 1 ints
  for (int r = 0; r < kRanks; ++r) {
    at.push_back(r * (r + 1) / 2);
    counts.push_back(r + 1);
  }
  const std::vector<int> mine(kRanks, me + 1), theirs = counts;
  std::vector<int> at_bytes;
  for (int r = 0; r < kRanks; ++r) at_bytes.push_back(static_cast<int>(sizeof(int)) * r * kRanks);
  std::vector<int> at_ints;
  for (int r = 0; r < kRanks; ++r) at_ints.push_back(r * kRanks);
  const std::vector<MPI_Datatype> ints(kRanks, MPI_INT);
  const auto from_root = [&](const std::function<long(int to)>& bytes) {
    return each_pair(kC, [&](int from, int to) { return from == kRoot ? bytes(to) : -1; });
  };
  const auto to_root = [&](const std::function<long(int from)>& bytes) {
    return each_pair(kC, [&](int from, int to) { return to == kRoot ? bytes(from) : -1; });
  };
  const auto to_all = [&](const std::function<long(int from, int to)>& bytes) { return each_pair(kC, bytes); };
  MPI_Comm const w = MPI_COMM_WORLD;
  const auto same = [](long bytes) { return [bytes](auto...) { return bytes; }; };
  const auto own = [](int r, auto...) { return 4L * (r + 1); };
  const auto others = [](int, int r) { return 4L * (r + 1); };
  const auto later = each_pair(kC, [](int from, int to) { return from < to ? 8 : -1; });

// The collective and its nonblocking form.
#define BOTH(name, iname, arguments, expected)                      \
  s.check(                                                          \
      "MPI_" #name, "EC", [&] { MPI_##name arguments; }, expected); \
  s.check(                                                          \
      "MPI_" #iname, "EC",                                          \
      [&] {                                                         \
        MPI_Request request = MPI_REQUEST_NULL;                     \
        MPI_##iname WITH_REQUEST arguments;                         \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                      \
      },                                                            \
      expected);
#define WITH_REQUEST(...) (__VA_ARGS__, &request)
  void *i = in.data(), *o = out.data();
  BOTH(Barrier, Ibarrier, (w), to_all(same(0)))
  BOTH(Bcast, Ibcast, (i, 3, MPI_INT, kRoot, w), from_root(same(12)))
  BOTH(Scatter, Iscatter, (i, 2, MPI_INT, o, 2, MPI_INT, kRoot, w), from_root(same(8)))
  BOTH(Scatterv, Iscatterv, (i, counts.data(), at.data(), MPI_INT, o, me + 1, MPI_INT, kRoot, w), from_root(own))
  BOTH(Gather, Igather, (i, 2, MPI_INT, o, 2, MPI_INT, kRoot, w), to_root(same(8)))
  BOTH(Gatherv, Igatherv, (i, me + 1, MPI_INT, o, counts.data(), at.data(), MPI_INT, kRoot, w), to_root(own))
  BOTH(Reduce, Ireduce, (i, o, 2, MPI_INT, MPI_SUM, kRoot, w), to_root(same(8)))
  BOTH(Allreduce, Iallreduce, (i, o, 2, MPI_INT, MPI_SUM, w), to_all(same(8)))
  BOTH(Allreduce, Iallreduce, (MPI_IN_PLACE, o, 2, MPI_INT, MPI_SUM, w), to_all(same(8)))
  BOTH(Allgather, Iallgather, (i, 2, MPI_INT, o, 2, MPI_INT, w), to_all(same(8)))
  BOTH(Allgather, Iallgather, (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, o, 2, MPI_INT, w), to_all(same(8)))
  BOTH(Allgatherv, Iallgatherv, (i, me + 1, MPI_INT, o, counts.data(), at.data(), MPI_INT, w), to_all(own))
  BOTH(Alltoall, Ialltoall, (i, 2, MPI_INT, o, 2, MPI_INT, w), to_all(same(8)))
  // Rank r sends r + 1 ints to each rank; received blocks are at multiples of four.
  BOTH(Alltoallv, Ialltoallv, (i, mine.data(), at_ints.data(), MPI_INT, o, theirs.data(), at_ints.data(), MPI_INT, w),
       to_all(own))
  BOTH(Alltoallw, Ialltoallw,
       (i, mine.data(), at_bytes.data(), ints.data(), o, theirs.data(), at_bytes.data(), ints.data(), w), to_all(own))
  BOTH(Reduce_scatter, Ireduce_scatter, (i, o, counts.data(), MPI_INT, MPI_SUM, w), to_all(others))
  BOTH(Reduce_scatter_block, Ireduce_scatter_block, (i, o, 2, MPI_INT, MPI_SUM, w), to_all(same(8)))
  BOTH(Scan, Iscan, (i, o, 2, MPI_INT, MPI_SUM, w), later)
  BOTH(Exscan, Iexscan, (i, o, 2, MPI_INT, MPI_SUM, w), later)
  if (kSimulated) return;  // SMPI lacks the following functions

  // A line of four ranks; neighbours are the adjacent ranks.
  MPI_Comm line;
  const std::array<int, 1> dims = {kRanks}, open = {0};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims.data(), open.data(), 0, &line);
  const auto beside = [](long bytes) {
    return each_pair(kC, [bytes](int from, int to) { return to - from == 1 || from - to == 1 ? bytes : -1; });
  };
  const std::array<int, 2> two = {2, 2}, places = {0, 2};
  const std::array<MPI_Aint, 2> places_bytes = {0, 8};
  BOTH(Neighbor_allgather, Ineighbor_allgather, (i, 3, MPI_INT, o, 3, MPI_INT, line), beside(12))
  BOTH(Neighbor_allgatherv, Ineighbor_allgatherv, (i, 2, MPI_INT, o, two.data(), places.data(), MPI_INT, line),
       beside(8))
  BOTH(Neighbor_alltoall, Ineighbor_alltoall, (i, 3, MPI_INT, o, 3, MPI_INT, line), beside(12))
  BOTH(Neighbor_alltoallv, Ineighbor_alltoallv,
       (i, two.data(), places.data(), MPI_INT, o, two.data(), places.data(), MPI_INT, line), beside(8))
  BOTH(Neighbor_alltoallw, Ineighbor_alltoallw,
       (i, two.data(), places_bytes.data(), ints.data(), o, two.data(), places_bytes.data(), ints.data(), line),
       beside(8))
  MPI_Comm_free(&line);
  // A directed graph: each rank sends to the next two.
  MPI_Comm graph;
  const std::array<int, 2> from = {(me + 3) % kRanks, (me + 2) % kRanks}, to = {(me + 1) % kRanks, (me + 2) % kRanks};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from.data(), MPI_UNWEIGHTED, 2, to.data(), MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  s.check(
      "a graph's MPI_Neighbor_alltoallv", "EC",
      [&] {
        const std::array<int, 2> send = {1, 2}, receive = {1, 2}, at_ends = {0, 1};
        MPI_Neighbor_alltoallv(i, send.data(), at_ends.data(), MPI_INT, o, receive.data(), at_ends.data(), MPI_INT,
                               graph);
      },
      each_pair(kC,
                [](int a, int b) { return (b - a + kRanks) % kRanks == 3 ? -1 : 4L * ((b - a + kRanks) % kRanks); }));
  MPI_Comm_free(&graph);
#undef BOTH
#undef WITH_REQUEST
}

}  // namespace strata::mpix::testing
