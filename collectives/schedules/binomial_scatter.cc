// SPDX-License-Identifier: LGPL-2.1-only
// Scatter along an in-order binomial tree: each rank receives the blocks of its subtree and sends each child those of
// the child's. For 8 ranks:
//
//   0 -> 4                            four blocks
//   0 -> 2  4 -> 6                    two
//   0 -> 1  2 -> 3  4 -> 5  6 -> 7    one
//
// A root other than rank 0 copies its blocks to a temporary buffer first, in the order of the tree. Open MPI copies a
// rank's own block before it sends, and MPICH after that.
// Cost: log2 p messages one after the other, (p - 1) m bytes from the root. Source:
// ompi_coll_base_scatter_intra_binomial, coll_base_scatter.c, Open MPI 4.1.4; MPIR_Scatter_intra_binomial,
// scatter_intra_binomial.c, MPICH 4.0.2.
#include <algorithm>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/tree_places.h"

namespace strata::collectives {
namespace {

// The root's blocks from its own on, in the temporary buffer.
void copy_in_order(const Collective& call, Steps& steps) {
  const std::int64_t m = call.count, after = call.ranks - call.root;  // ranks from the root to the last
  steps.copy({Buffer::kInput, 0, call.root * m}, {Buffer::kFirst, after * m, call.root * m});
  steps.copy({Buffer::kInput, call.root * m, after * m}, {Buffer::kFirst, 0, after * m});
}

// ... with MPI_IN_PLACE, MPICH leaves out its own.
void copy_others_in_order(const Collective& call, Steps& steps) {
  const std::int64_t m = call.count, after = call.ranks - call.root, own = call.in_place ? 1 : 0;
  steps.copy({Buffer::kInput, (call.root + own) * m, (after - own) * m}, {Buffer::kFirst, own * m, (after - own) * m});
  steps.copy({Buffer::kInput, 0, call.root * m}, {Buffer::kFirst, after * m, call.root * m});
}

enum class OwnBlock { kFirst, kLast };

void scatter(const Collective& call, OwnBlock own_block, int rank, Steps& steps) {
  const Place place = in_order_binomial_tree(call.ranks, call.root, rank);
  const std::int64_t m = call.count;
  const Range own = {Buffer::kOutput, 0, m};
  const int v = (rank - call.root + call.ranks) % call.ranks;
  if (v % 2 != 0) return steps.receive(place.parent, own);
  Buffer here = Buffer::kFirst;
  std::int64_t blocks = call.ranks;
  if (rank != call.root) {
    const int parent = (place.parent - call.root + call.ranks) % call.ranks;
    blocks = std::min(v - parent, call.ranks - v);
    steps.receive(place.parent, {here, 0, blocks * m});
  } else if (call.root == 0) {
    here = Buffer::kInput;
  } else if (own_block == OwnBlock::kFirst) {
    copy_in_order(call, steps);
  } else {
    copy_others_in_order(call, steps);
  }
  const auto copy_own = [&] {
    if (!(rank == call.root && call.in_place)) steps.copy({here, 0, m}, own);
  };
  if (own_block == OwnBlock::kFirst) copy_own();
  for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {
    const int c = (*child - call.root + call.ranks) % call.ranks;
    const std::int64_t theirs = std::min(c - v, call.ranks - c);
    blocks -= theirs;
    steps.send(*child, {here, blocks * m, theirs * m});
  }
  if (own_block == OwnBlock::kLast) copy_own();
}

}  // namespace

void binomial_scatter(const Collective& call, const Settings&, int rank, Steps& steps) {
  scatter(call, OwnBlock::kFirst, rank, steps);
}

void own_last_binomial_scatter(const Collective& call, const Settings&, int rank, Steps& steps) {
  scatter(call, OwnBlock::kLast, rank, steps);
}

}  // namespace strata::collectives
