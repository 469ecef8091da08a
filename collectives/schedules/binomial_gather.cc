// SPDX-License-Identifier: LGPL-2.1-only
// Gather along an in-order binomial tree: each rank sends the blocks of its subtree, which are consecutive if ranks are
// counted from the root on. For 8 ranks:
//
//   1 -> 0  3 -> 2  5 -> 4  7 -> 6    one block
//   2 -> 0  6 -> 4                    two
//   4 -> 0                            four
//
// A root other than rank 0 gathers in a temporary buffer, from where the blocks are copied to their places.
// Cost: log2 p messages one after the other, (p - 1) m bytes to the root. Source:
// ompi_coll_base_gather_intra_binomial, coll_base_gather.c, Open MPI 4.1.4.
#include <algorithm>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/tree_places.h"

namespace strata::collectives {

void binomial_gather(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Place place = in_order_binomial_tree(call.ranks, call.root, rank);
  const std::int64_t m = call.count;
  const Range own = {Buffer::kInput, 0, m};
  const int v = (rank - call.root + call.ranks) % call.ranks;
  if (v % 2 != 0) return steps.send(place.parent, own);
  const bool is_root = rank == call.root;
  const Buffer here = is_root && call.root == 0 ? Buffer::kOutput : Buffer::kFirst;
  if (is_root && call.in_place) {
    if (call.root != 0) steps.copy({Buffer::kOutput, rank * m, m}, {here, 0, m});
  } else {
    steps.copy(own, {here, 0, m});
  }
  std::int64_t blocks = 1;
  for (const int child : place.children) {
    const int c = (child - call.root + call.ranks) % call.ranks;
    const std::int64_t theirs = std::min(c - v, call.ranks - c);
    steps.receive(child, {here, blocks * m, theirs * m});
    blocks += theirs;
  }
  if (!is_root) return steps.send(place.parent, {here, 0, blocks * m});
  if (call.root == 0) return;
  const std::int64_t after = call.ranks - call.root;  // ranks from the root to the last
  steps.copy({here, 0, after * m}, {Buffer::kOutput, call.root * m, after * m});
  steps.copy({here, after * m, call.root * m}, {Buffer::kOutput, 0, call.root * m});
}

}  // namespace strata::collectives
