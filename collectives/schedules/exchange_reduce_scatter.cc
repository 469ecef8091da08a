// SPDX-License-Identifier: LGPL-2.1-only
// Reduce-scatter in p - 1 rounds: in round i, a rank sends the block of the rank i after it, and combines the one that
// it gets from the rank i before it. For 8 ranks, round 3: 0 -> 3, 1 -> 4, 2 -> 5, ...
//
// With MPI_IN_PLACE the sum is in the rank's block of the output, and moves to its beginning at the end.
// Cost: p - 1 messages one after the other, m (p - 1) / p bytes sent and combined by each rank. The operation is
// commutative. Source: MPIR_Reduce_scatter_intra_pairwise, reduce_scatter_intra_pairwise.c, and
// MPIR_Reduce_scatter_block_intra_pairwise, reduce_scatter_block_intra_pairwise.c, MPICH 4.0.2.
#include "collectives/schedules/block_places.h"
#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {

void exchange_reduce_scatter(const Collective& call, const Settings&, int rank, Steps& steps) {
  const BlockPlaces places(call);
  if (places.total() == 0) return;
  const int p = call.ranks;
  const Buffer input = call.in_place ? Buffer::kOutput : Buffer::kInput;
  const auto block = [&](int of) { return places.between(input, of, of + 1); };
  const Range result = {Buffer::kOutput, 0, block(rank).count}, inbox = {Buffer::kFirst, 0, block(rank).count};
  const Range sum = call.in_place ? block(rank) : result;
  steps.copy(block(rank), sum);
  for (int round = 1; round < p; ++round) {
    const int to = (rank + round) % p, from = (rank - round + p) % p;
    steps.send_receive(to, block(to), from, inbox);
    steps.combine(inbox, sum);
  }
  steps.copy(sum, result);
}

}  // namespace strata::collectives
