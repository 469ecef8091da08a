// SPDX-License-Identifier: LGPL-2.1-only
// Reduce-scatter by recursive doubling, also with blocks of different lengths in MPICH: two ranks exchange all blocks
// except those that their own groups have finished, and combine what the other group needs. For 8 ranks, rank 0 sends:
//
//   to 1  the blocks of all ranks but 0
//   to 2  those of 2..7, with the data of ranks 0 and 1
//   to 4  those of 4..7, with the data of ranks 0 to 3
//
// Blocks outside a group are the ones after it, and then from rank 0 to before it. If the number of ranks is not a
// power of two, ranks without a partner in a round get the blocks from a rank of their group that has one. Cost:
// ceil(log2 p) messages one after the other, of about m each. Source:
// ompi_coll_base_reduce_scatter_block_intra_recursivedoubling, coll_base_reduce_scatter_block.c, Open MPI 4.1.4;
// MPIR_Reduce_scatter_intra_recursive_doubling, reduce_scatter_intra_recursive_doubling.c, and the same of
// MPI_Reduce_scatter_block, MPICH 4.0.2.
#include <algorithm>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/block_places.h"
#include "collectives/schedules/late_ranks.h"

namespace strata::collectives {
namespace {

constexpr Buffer kSum = Buffer::kFirst, kInbox = Buffer::kSecond;

}  // namespace

void recursive_doubling_reduce_scatter_block(const Collective& call, const Settings&, int rank, Steps& steps) {
  const BlockPlaces places(call);
  const int p = call.ranks;
  const std::int64_t all = places.total();
  if (all == 0) return;
  steps.copy({call.in_place ? Buffer::kOutput : Buffer::kInput, 0, all}, {kSum, 0, all});
  for (int bit = 1; bit < p; bit *= 2) {
    const int here = rank / bit * bit, partner = rank ^ bit, there = partner / bit * bit;  // beginnings of groups
    // All blocks but those of the group that begins at `group`.
    const auto outside = [&](Buffer in, int group) {
      const std::int64_t end = places.begin(std::min(p, group + bit));
      return Range{in, end % all, places.begin(group) + all - end, 0, 0, all};
    };
    bool arrived = partner < p;
    if (arrived) steps.send_receive(partner, outside(kSum, here), partner, outside(kInbox, there));
    arrived |= serve_late_ranks(
        rank, p, bit, [&](int other) { steps.send(other, outside(kInbox, there)); },
        [&](int other) { steps.receive(other, outside(kInbox, there)); });
    if (!arrived) continue;
    const auto combine = [&](Buffer from, Buffer to) {
      const int end = std::min(p, there + bit);
      steps.combine(places.between(from, 0, there), places.between(to, 0, there));
      steps.combine(places.between(from, end, p), places.between(to, end, p));
    };
    if (call.commutative || there < here) {
      combine(kInbox, kSum);
    } else {
      combine(kSum, kInbox);
      steps.copy(outside(kInbox, there), outside(kSum, there));
    }
  }
  const Range own = places.between(kSum, rank, rank + 1);
  steps.copy(own, {Buffer::kOutput, 0, own.count});
}

}  // namespace strata::collectives
