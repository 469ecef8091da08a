// SPDX-License-Identifier: LGPL-2.1-only
// Allreduce: a reduce followed by a broadcast, or recursive doubling.
#include <mpi.h>

#include <array>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/collectives/over.h"
#include "tests/mpi_ext/collectives/sent.h"
#include "tests/mpi_ext/collectives/tests.h"
#include "tests/mpi_ext/guarded_buffers.h"

namespace strata::mpix::testing {
namespace {

constexpr std::array kAllreduces = {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_CHAIN,    MPIX_ALGORITHM_PIPELINE,
                                    MPIX_ALGORITHM_BINARY, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_RECURSIVE_DOUBLING};

void check_allreduce(Checks& t, const Over& over, const Layout& layout, const Operation& operation, int algorithm,
                     const Cut& cut, Place place) {
  const Type type(layout);
  const int size = over.size();
  const std::vector<int> mine = contribution_of(over.rank(), cut.count, algorithm);
  Buffer send(layout, cut.count), result(layout, cut.count);
  const bool in_place = place == Place::kInPlace;
  (in_place ? result : send).set(mine);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS, over.allreduce(in_place ? MPI_IN_PLACE : send.data(), result.data(), cut.count, type,
                                       operation.op, algorithm, cut.segment_bytes));
  CHECK_EQ(fold(operation, size, cut.count, algorithm), result.values());
  CHECK_EQ(0, result.touched());
  if (!in_place) CHECK_EQ(mine, send.values());
  CHECK_EQ(0, send.touched());
  Traffic expected{0, 0};
  if (algorithm == MPIX_ALGORITHM_RECURSIVE_DOUBLING) {
    const PowerOfTwo p(size);
    expected.messages = cut.count == 0 ? 0 : 2 * p.rest + p.power * p.logarithm;
    expected.bytes = expected.messages * 8 * cut.count;
  } else {
    if (!over.are_known() && !operation.commutes) return;  // in-order trees have their own roots
    expected = sum(over, [&](const Alike& a) {
      return reduce_traffic(a.members, algorithm, operation, cut, 0) + bcast_traffic(a.members, algorithm, cut);
    });
  }
  CHECK_EQ(expected, traffic_of(over.comm));
}

}  // namespace

void test_allreduce(Checks& t, const Over& over) {
  const Operation affine(compose, compose_all, false), sum(add, add_all, true);
  for (const int algorithm : kAllreduces) {
    if (over.hierarchical() && algorithm == MPIX_ALGORITHM_RECURSIVE_DOUBLING) continue;
    for (const Operation* operation : {&affine, &sum}) {
      for (const Cut& cut : cuts(over.brief)) {
        check_allreduce(t, over, kPair, *operation, algorithm, cut, Place::kSeparate);
        check_allreduce(t, over, kPair, *operation, algorithm, cut, Place::kInPlace);
      }
      for (const Layout& layout : layouts(over)) {
        check_allreduce(t, over, layout, *operation, algorithm, {7, 20}, Place::kSeparate);
        check_allreduce(t, over, layout, *operation, algorithm, {3, 0}, Place::kInPlace);
      }
    }
    std::array<long, 3> mine{over.rank() + 1L, -over.rank(), 7}, expected{}, got{};
    MPI_Allreduce(mine.data(), expected.data(), 3, MPI_LONG, MPI_SUM, over.comm);
    CHECK_EQ(MPI_SUCCESS, over.allreduce(mine.data(), got.data(), 3, MPI_LONG, MPI_SUM, algorithm, 8));
    CHECK_TRUE(expected == got);
  }
}

}  // namespace strata::mpix::testing
