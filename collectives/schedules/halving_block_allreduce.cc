// SPDX-License-Identifier: LGPL-2.1-only
// Rabenseifner's allreduce in MPICH: a reduce-scatter by halving in blocks, then an allgather that does its rounds in
// reverse (halving.h). Even ranks that took no part get the result from the odd rank of their pair. For 8 ranks, after
// the halving:
//
//   0 <-> 4, 1 <-> 5, ...   an eighth of the vector each
//   0 <-> 2, 1 <-> 3, ...   a quarter
//   0 <-> 1, 2 <-> 3, ...   a half
//
// Cost: 2 log2 p messages, 2 m (p - 1) / p bytes sent and m (p - 1) / p combined by each rank. Source:
// MPIR_Allreduce_intra_reduce_scatter_allgather, allreduce_intra_reduce_scatter_allgather.c, MPICH 4.0.2.
#include "collectives/schedules/halving.h"
#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {

void halving_block_allreduce(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Range all = {Buffer::kOutput, 0, call.count};
  if (!call.in_place) steps.copy({Buffer::kInput, 0, call.count}, all);
  const Halving h = reduce_by_halving_blocks(call, Buffer::kOutput, true, rank, steps);
  allgather_halves(h, steps);
  if (!h.is_in_pair(rank)) return;
  if (h.takes_part(rank)) {
    steps.send(rank - 1, all);
  } else {
    steps.receive(rank + 1, all);
  }
}

}  // namespace strata::collectives
