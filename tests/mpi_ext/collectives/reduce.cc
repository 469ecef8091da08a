// SPDX-License-Identifier: LGPL-2.1-only
// Reduce: the combined data in the order of the ranks, also of an operation that does not commute, and the messages.
#include <mpi.h>

#include <array>
#include <vector>

#include "mpi_ext/coll/tree.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/collectives/over.h"
#include "tests/mpi_ext/collectives/sent.h"
#include "tests/mpi_ext/collectives/tests.h"
#include "tests/mpi_ext/guarded_buffers.h"

namespace strata::mpix::testing {
namespace {

constexpr std::array kReduces = {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_CHAIN,    MPIX_ALGORITHM_PIPELINE,
                                 MPIX_ALGORITHM_BINARY, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_IN_ORDER_BINARY};

}  // namespace

Traffic reduce_traffic(int size, int algorithm, const Operation& operation, const Cut& cut, int root) {
  const long others = size - 1;
  const std::vector<long> whole = cut.segments();
  if (algorithm == MPIX_ALGORITHM_LINEAR) return {whole.empty() ? 0 : others, others * bytes_of(whole)};
  Traffic traffic{others * static_cast<long>(whole.size()), others * bytes_of(whole)};
  const bool in_order = algorithm == MPIX_ALGORITHM_IN_ORDER_BINARY || !operation.commutes;
  if (in_order && root != size - 1 && !whole.empty()) {
    traffic.messages += 1;
    traffic.bytes += bytes_of(whole);
  }
  return traffic;
}

namespace {

void check_reduce(Checks& t, const Over& over, const Layout& layout, const Operation& operation, int algorithm,
                  const Cut& cut, int root, Place place) {
  const Type type(layout);
  const int rank = over.rank(), size = over.size();
  const std::vector<int> mine = contribution_of(rank, cut.count, algorithm);
  Buffer send(layout, cut.count), result(layout, rank == root ? cut.count : 0);
  const bool in_place = rank == root && place == Place::kInPlace;
  (in_place ? result : send).set(mine);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS, over.reduce(in_place ? MPI_IN_PLACE : send.data(), rank == root ? result.data() : nullptr,
                                    cut.count, type, operation.op, root, algorithm, cut.segment_bytes));
  const std::vector<Sent> sent = my_sent();
  if (rank == root) {
    CHECK_EQ(fold(operation, size, cut.count, algorithm), result.values());
    CHECK_EQ(0, result.touched());
  }
  if (!in_place) CHECK_EQ(mine, send.values());
  CHECK_EQ(0, send.touched());
  // Each communicator's in-order tree has its own root.
  if (!over.are_known() && (algorithm == MPIX_ALGORITHM_IN_ORDER_BINARY || !operation.commutes)) return;
  const int to = over.hierarchical() ? 0 : root;
  CHECK_EQ(sum(over, [&](const Alike& a) { return reduce_traffic(a.members, algorithm, operation, cut, to); }) +
               between_roots(over, root, 8L * cut.count),
           traffic_of(over.comm));
  if (over.hierarchical()) return;
  // Receivers.
  int parent = rank == root ? -1 : root;
  std::vector<Sent> in_order;
  if (algorithm == MPIX_ALGORITHM_IN_ORDER_BINARY || (!operation.commutes && algorithm != MPIX_ALGORITHM_LINEAR)) {
    parent = in_order_binary_tree(rank, size).parent;
  } else if (algorithm == MPIX_ALGORITHM_CHAIN || algorithm == MPIX_ALGORITHM_PIPELINE) {
    parent = chain_tree(rank, size, root, algorithm == MPIX_ALGORITHM_CHAIN ? 4 : 1).parent;
  } else if (algorithm == MPIX_ALGORITHM_BINARY) {
    parent = binary_tree(rank, size, root).parent;
  } else if (algorithm == MPIX_ALGORITHM_BINOMIAL) {
    parent = in_order_binomial_tree(rank, size, root).parent;
  }
  if (parent < 0 && (rank == root || cut.count == 0)) CHECK_EQ(in_order, sent);
  if (parent < 0) return;
  for (const long bytes : algorithm == MPIX_ALGORITHM_LINEAR ? Cut{cut.count, 0}.segments() : cut.segments()) {
    in_order.push_back({parent, bytes});
  }
  CHECK_EQ(in_order, sent);
}

// MPI's own operations, compared with MPI's own function.
void check_against_mpi(Checks& t, const Over& over, int algorithm, int root) {
  constexpr int kCount = 11;
  const int rank = over.rank();
  std::vector<double> send(kCount);
  for (int i = 0; i < kCount; ++i) send[i] = (rank * 31 + i * 17) % 101;  // sums are exact
  for (const MPI_Op op : {MPI_SUM, MPI_MAX, MPI_PROD}) {
    if (op == MPI_PROD) {
      for (double& x : send) x = 1 << (static_cast<int>(x) % 3);
    }
    std::vector<double> expected(kCount, -1), got(kCount, -1);
    MPI_Reduce(send.data(), expected.data(), kCount, MPI_DOUBLE, op, root, over.comm);
    CHECK_EQ(MPI_SUCCESS, over.reduce(send.data(), got.data(), kCount, MPI_DOUBLE, op, root, algorithm, 24));
    CHECK_EQ(expected, got);
  }
}

}  // namespace

void test_reduce(Checks& t, const Over& over) {
  const Operation affine(compose, compose_all, false), sum(add, add_all, true);
  for (const int root : over.roots()) {
    for (const int algorithm : kReduces) {
      for (const Operation* operation : {&affine, &sum}) {
        for (const Cut& cut : cuts(over.brief)) {
          check_reduce(t, over, kPair, *operation, algorithm, cut, root, Place::kSeparate);
        }
        check_reduce(t, over, kPair, *operation, algorithm, {7, 20}, root, Place::kInPlace);
        for (const Layout& layout : layouts(over)) {
          check_reduce(t, over, layout, *operation, algorithm, {7, 20}, root, Place::kSeparate);
          check_reduce(t, over, layout, *operation, algorithm, {3, 0}, root, Place::kInPlace);
        }
      }
      check_against_mpi(t, over, algorithm, root);
    }
  }
}

}  // namespace strata::mpix::testing
