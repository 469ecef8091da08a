// SPDX-License-Identifier: LGPL-2.1-only
// Gather, scatter and allgather: a block of each rank, with layouts that differ between sender and receiver.
#include <mpi.h>

#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/collectives/over.h"
#include "tests/mpi_ext/collectives/sent.h"
#include "tests/mpi_ext/collectives/tests.h"
#include "tests/mpi_ext/guarded_buffers.h"

namespace strata::mpix::testing {
namespace {

std::vector<Exchange> exchanges(const Over& over) {
  std::vector<Exchange> all = {{{kPair, 1}, {kPair, 1}}, {{kPair, 3}, {kPair, 3}}, {{kPair, 0}, {kPair, 0}},
                               {{kPair, 4}, {kGaps, 4}}, {{kGaps, 2}, {kPair, 2}}, {{kPair, 700}, {kPair, 700}}};
  if (over.real) {
    all.insert(all.end(),
               {{{kSwapped, 3}, {kNegative, 3}}, {{kBackwards, 5}, {kSwapped, 5}}, {{kNegative, 2}, {kBackwards, 2}}});
  }
  return all;
}

// One message per rank. Linear: its block of `count` elements. Binomial: the blocks of its subtree, counted through the
// parents, which result from clearing the lowest bit.
Traffic gather_traffic(int size, int algorithm, long count) {
  long blocks = 0;
  for (int v = 1; v < size; ++v) {
    for (int w = v; w > 0; w = algorithm == MPIX_ALGORITHM_LINEAR ? 0 : w & (w - 1)) ++blocks;
  }
  return {count == 0 ? 0L : size - 1, 8 * blocks * count};
}

// The first gather or scatter over a hierarchy is not counted: it exchanges messages about the sizes and the order of
// subtrees.
enum class Counted { kNo, kYes };

// `besides`: messages other than those of a gather to, or a scatter from, the roots of the communicators.
void check_gather_traffic(Checks& t, const Over& over, int algorithm, int count, const Traffic& besides) {
  const Traffic expected = besides + sum(over, [&](const Alike& a) {
                             return gather_traffic(a.members, algorithm, static_cast<long>(a.below) * count);
                           });
  const Traffic got = traffic_of(over.comm);
  CHECK_EQ(expected.messages, got.messages);
  if (over.are_known()) CHECK_EQ(expected.bytes, got.bytes);
}

void check_gather(Checks& t, const Over& over, const Exchange& e, int algorithm, int root, Place place,
                  Counted counted = Counted::kYes) {
  const Type sendtype(e.sent.layout), recvtype(e.received.layout);
  const int rank = over.rank(), size = over.size(), count = e.sent.count;
  const bool in_place = rank == root && place == Place::kInPlace;
  const std::vector<int> mine = contribution_of(rank, count, algorithm);
  Buffer send(e.sent.layout, count), all(e.received.layout, rank == root ? size * count : 0);
  send.set(mine);
  if (in_place) all.set(mine, root * count);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS,
           over.gather(in_place ? MPI_IN_PLACE : send.data(), in_place ? -1 : count, sendtype,
                       rank == root ? all.data() : nullptr, rank == root ? count : -1, recvtype, root, algorithm));
  if (rank == root) CHECK_EQ(all_contributions(size, count, algorithm), all.values());
  CHECK_EQ(0, all.touched());
  CHECK_EQ(0, send.touched());
  CHECK_EQ(mine, send.values());
  if (counted == Counted::kNo) return;
  check_gather_traffic(t, over, algorithm, count, between_roots(over, root, 8L * size * count));
}

void check_scatter(Checks& t, const Over& over, const Exchange& e, int algorithm, int root, Place place,
                   Counted counted = Counted::kYes) {
  const Type sendtype(e.sent.layout), recvtype(e.received.layout);
  const int rank = over.rank(), size = over.size(), count = e.sent.count;
  const bool in_place = rank == root && place == Place::kInPlace;
  Buffer all(e.sent.layout, rank == root ? size * count : 0), got(e.received.layout, count);
  const std::vector<int> blocks = all_contributions(size, count, algorithm);
  if (rank == root) all.set(blocks);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS,
           over.scatter(rank == root ? all.data() : nullptr, rank == root ? count : -1, sendtype,
                        in_place ? MPI_IN_PLACE : got.data(), in_place ? -1 : count, recvtype, root, algorithm));
  CHECK_EQ(in_place ? std::vector<int>(2 * count, kUntouched) : contribution_of(rank, count, algorithm), got.values());
  CHECK_EQ(0, got.touched());
  if (rank == root) CHECK_EQ(blocks, all.values());
  CHECK_EQ(0, all.touched());
  if (counted == Counted::kNo) return;
  check_gather_traffic(t, over, algorithm, count, between_roots(over, root, 8L * size * count));
}

void check_allgather(Checks& t, const Over& over, const Exchange& e, int algorithm, Place place,
                     Counted counted = Counted::kYes) {
  const Type sendtype(e.sent.layout), recvtype(e.received.layout);
  const int rank = over.rank(), size = over.size(), count = e.sent.count;
  const bool in_place = place == Place::kInPlace;
  const std::vector<int> mine = contribution_of(rank, count, algorithm);
  Buffer send(e.sent.layout, count), all(e.received.layout, size * count);
  send.set(mine);
  if (in_place) all.set(mine, rank * count);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS, over.allgather(in_place ? MPI_IN_PLACE : send.data(), in_place ? -1 : count, sendtype,
                                       all.data(), count, recvtype, algorithm));
  CHECK_EQ(all_contributions(size, count, algorithm), all.values());
  CHECK_EQ(0, all.touched());
  CHECK_EQ(mine, send.values());
  if (counted == Counted::kNo) return;
  const long others = size - 1;
  if (algorithm == MPIX_ALGORITHM_RING) {
    CHECK_EQ((Traffic{count == 0 ? 0 : others * size, others * size * 8 * count}), traffic_of(over.comm));
  } else {
    check_gather_traffic(t, over, algorithm, count, {count == 0 ? 0 : others, others * size * 8 * count});
  }
}

}  // namespace

void test_gather(Checks& t, const Over& over) {
  const Exchange one{{kPair, 1}, {kPair, 1}};
  check_gather(t, over, one, MPIX_ALGORITHM_BINOMIAL, over.size() - 1, Place::kSeparate, Counted::kNo);
  for (const int root : over.roots()) {
    for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL}) {
      for (const Exchange& e : exchanges(over)) {
        check_gather(t, over, e, algorithm, root, Place::kSeparate);
        check_gather(t, over, e, algorithm, root, Place::kInPlace);
      }
    }
  }
}

void test_scatter(Checks& t, const Over& over) {
  const Exchange one{{kPair, 1}, {kPair, 1}};
  check_scatter(t, over, one, MPIX_ALGORITHM_BINOMIAL, over.size() - 1, Place::kSeparate, Counted::kNo);
  for (const int root : over.roots()) {
    for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL}) {
      for (const Exchange& e : exchanges(over)) {
        check_scatter(t, over, e, algorithm, root, Place::kSeparate);
        check_scatter(t, over, e, algorithm, root, Place::kInPlace);
      }
    }
  }
}

void test_allgather(Checks& t, const Over& over) {
  const Exchange one{{kPair, 1}, {kPair, 1}};
  check_allgather(t, over, one, MPIX_ALGORITHM_BINOMIAL, Place::kSeparate, Counted::kNo);
  for (const int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_RING}) {
    if (over.hierarchical() && algorithm == MPIX_ALGORITHM_RING) continue;
    for (const Exchange& e : exchanges(over)) {
      check_allgather(t, over, e, algorithm, Place::kSeparate);
      check_allgather(t, over, e, algorithm, Place::kInPlace);
    }
    // Counts and datatypes that differ between sender and receiver: a block is one element here, and pairs there.
    MPI_Datatype three;
    MPI_Type_contiguous(6, MPI_INT, &three);
    MPI_Type_commit(&three);
    const int size = over.size();
    const std::vector<int> mine = contribution_of(over.rank(), 3);
    std::vector<int> got(6 * size + 1, kUntouched), expected = all_contributions(size, 3, 0);
    expected.push_back(kUntouched);
    CHECK_EQ(MPI_SUCCESS, over.allgather(mine.data(), 1, three, got.data(), 6, MPI_INT, algorithm));
    CHECK_EQ(expected, got);
    std::vector<int> by_mpi(6 * size + 1, kUntouched);
    MPI_Allgather(mine.data(), 6, MPI_INT, by_mpi.data(), 6, MPI_INT, over.comm);  // SMPI fails if the two sides differ
    CHECK_EQ(by_mpi, got);
    MPI_Type_free(&three);
  }
}

}  // namespace strata::mpix::testing
