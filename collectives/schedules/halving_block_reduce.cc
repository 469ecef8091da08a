// SPDX-License-Identifier: LGPL-2.1-only
// Rabenseifner's reduction in MPICH: a reduce-scatter by halving in blocks, then a gather to the root (halving.h). For
// 8 ranks and root 0, after the halving:
//
//   4 -> 0, 5 -> 1, ...   an eighth of the vector
//   2 -> 0, 3 -> 1        a quarter
//   1 -> 0                a half
//
// Cost: 2 log2 p messages, 2 m (p - 1) / p bytes sent and m (p - 1) / p combined by each rank. Source:
// MPIR_Reduce_intra_reduce_scatter_gather, reduce_intra_reduce_scatter_gather.c, MPICH 4.0.2.
#include "collectives/schedules/halving.h"
#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {

void halving_block_reduce(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Buffer sum = rank == call.root ? Buffer::kOutput : Buffer::kSecond;
  if (rank != call.root || !call.in_place) steps.copy({Buffer::kInput, 0, call.count}, {sum, 0, call.count});
  gather_halves(call, reduce_by_halving_blocks(call, sum, false, rank, steps), sum, rank, steps);
}

}  // namespace strata::collectives
