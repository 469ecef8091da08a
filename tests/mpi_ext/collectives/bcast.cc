// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast: the data, the messages of each tree, and their order.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>
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

constexpr std::array kBcasts = {MPIX_ALGORITHM_LINEAR,       MPIX_ALGORITHM_CHAIN,  MPIX_ALGORITHM_PIPELINE,
                                MPIX_ALGORITHM_SPLIT_BINARY, MPIX_ALGORITHM_BINARY, MPIX_ALGORITHM_BINOMIAL};

}  // namespace

Traffic bcast_traffic(int size, int algorithm, const Cut& cut) {
  const long others = size - 1;
  const std::vector<long> whole = cut.segments();
  if (algorithm == MPIX_ALGORITHM_LINEAR) return {whole.empty() ? 0 : others, others * bytes_of(whole)};
  const int right = cut.count / 2, left = cut.count - right;
  const int segment = cut.segment_bytes == 0 ? 0 : std::max(cut.segment_bytes, 8);
  if (algorithm != MPIX_ALGORITHM_SPLIT_BINARY || right == 0 || segment > 8 * right) {
    return {others * static_cast<long>(whole.size()), others * bytes_of(whole)};
  }
  const long odd = size / 2, even = others - odd;
  return {odd * static_cast<long>(Cut::segments(left, segment).size() + 1) +
              even * static_cast<long>(Cut::segments(right, segment).size() + 1),
          others * bytes_of(whole)};
}

namespace {

void check_bcast(Checks& t, const Over& over, const Layout& layout, int algorithm, const Cut& cut, int root) {
  const Type type(layout);
  const std::vector<int> message = contribution_of(root, cut.count, algorithm);
  Buffer buffer(layout, cut.count);
  if (over.rank() == root) buffer.set(message);
  my_sent().clear();
  CHECK_EQ(MPI_SUCCESS, over.bcast(buffer.data(), cut.count, type, root, algorithm, cut.segment_bytes));
  const std::vector<Sent> sent = my_sent();
  CHECK_EQ(message, buffer.values());
  CHECK_EQ(0, buffer.touched());
  if (!over.are_known() && algorithm == MPIX_ALGORITHM_SPLIT_BINARY) return;  // depends on the communicators' sizes
  CHECK_EQ(sum(over, [&](const Alike& a) { return bcast_traffic(a.members, algorithm, cut); }) +
               between_roots(over, root, 8L * cut.count),
           traffic_of(over.comm));
  if (over.hierarchical()) return;
  // Receivers, and their order.
  const int rank = over.rank(), size = over.size();
  const std::map<int, Tree> trees = {{MPIX_ALGORITHM_CHAIN, chain_tree(rank, size, root, 4)},
                                     {MPIX_ALGORITHM_PIPELINE, chain_tree(rank, size, root, 1)},
                                     {MPIX_ALGORITHM_BINARY, binary_tree(rank, size, root)},
                                     {MPIX_ALGORITHM_BINOMIAL, binomial_tree(rank, size, root)}};
  const auto tree = trees.find(algorithm);
  if (tree == trees.end()) return;
  std::vector<Sent> in_order;
  for (const long bytes : cut.segments()) {
    for (const int child : tree->second.children) in_order.push_back({child, bytes});
  }
  CHECK_EQ(in_order, sent);
}

}  // namespace

void test_bcast(Checks& t, const Over& over) {
  for (const int root : over.roots()) {
    for (const int algorithm : kBcasts) {
      for (const Cut& cut : cuts(over.brief)) check_bcast(t, over, kPair, algorithm, cut, root);
      for (const Layout& layout : layouts(over)) {
        check_bcast(t, over, layout, algorithm, {7, 20}, root);
        if (!over.brief) check_bcast(t, over, layout, algorithm, {3, 0}, root);
      }
    }
  }
}

}  // namespace strata::mpix::testing
