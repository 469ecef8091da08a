// SPDX-License-Identifier: LGPL-2.1-only
// All-to-all in p rounds: in round k, a rank sends to the rank k after it and receives from the rank k before it. For 8
// ranks, round 3: 0 -> 3, 1 -> 4, 2 -> 5, ... The last round is the rank's own block. Open MPI's algorithm for two
// ranks is the same.
//
// Cost: p - 1 messages one after the other, (p - 1) m bytes sent by each rank. Source:
// ompi_coll_base_alltoall_intra_pairwise and _two_procs, coll_base_alltoall.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/alltoall_in_place.h"

namespace strata::collectives {

void pairwise_alltoall(const Collective& call, const Settings&, int rank, Steps& steps) {
  if (call.in_place) return alltoall_in_place(call, rank, steps);
  const int p = call.ranks;
  const auto block = [&](Buffer in, int of) { return Range{in, of * call.count, call.count}; };
  for (int round = 1; round < p; ++round) {
    const int to = (rank + round) % p, from = (rank + p - round) % p;
    steps.send_receive(to, block(Buffer::kInput, to), from, block(Buffer::kOutput, from));
  }
  steps.copy(block(Buffer::kInput, rank), block(Buffer::kOutput, rank));
}

}  // namespace strata::collectives
