// SPDX-License-Identifier: LGPL-2.1-only
// Reduce-scatter around a ring: each block goes around once, from the rank after its own, and is combined at each rank.
// For rank 3 of 8: it sends blocks 2, 1, 0, 7, 6, 5, 4 to rank 4 and combines blocks 1, 0, 7, 6, 5, 4 and its own, 3.
//
// Cost: p - 1 messages one after the other, m (p - 1) / p bytes sent and combined by each rank, for operations that are
// commutative. Source: ompi_coll_base_reduce_scatter_intra_ring, coll_base_reduce_scatter.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/rank_blocks.h"

namespace strata::collectives {

void ring_reduce_scatter(const Collective& call, const Settings&, int rank, Steps& steps) {
  const RankBlocks blocks(call);
  const int p = call.ranks, next = (rank + 1) % p, previous = (rank + p - 1) % p;
  const Buffer input = call.in_place ? Buffer::kOutput : Buffer::kInput;
  steps.copy(blocks.all(input), blocks.all(Buffer::kFirst));
  const auto sum = [&](int round) { return blocks.block(Buffer::kFirst, (rank + 2 * p - round - 1) % p); };
  const auto inbox = [&](int round) {  // of what is combined with sum(round)
    return Range{round % 2 == 0 ? Buffer::kSecond : Buffer::kThird, 0, sum(round).count};
  };
  int received = steps.start_receive(previous, inbox(1));
  steps.send(next, sum(0));
  for (int round = 1; round + 1 < p; ++round) {
    const int following = steps.start_receive(previous, inbox(round + 1));
    steps.wait(received);
    steps.combine(inbox(round), sum(round));
    steps.send(next, sum(round));
    received = following;
  }
  steps.wait(received);
  steps.combine(inbox(p - 1), sum(p - 1));
  steps.copy(sum(p - 1), {Buffer::kOutput, 0, sum(p - 1).count});
}

}  // namespace strata::collectives
