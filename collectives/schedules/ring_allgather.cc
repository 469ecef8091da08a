// SPDX-License-Identifier: LGPL-2.1-only
// Allgather around a ring: each rank sends the next one its own block, then the blocks that it has received, in the
// order in which they came. For rank 3 of 8: it sends blocks 3, 2, 1, 0, 7, 6, 5 to rank 4, and receives blocks 2, 1,
// 0, 7, 6, 5, 4 from rank 2.
//
// Cost: p - 1 messages one after the other, (p - 1) m bytes sent by each rank. Source:
// ompi_coll_base_allgather_intra_ring, coll_base_allgather.c, and ompi_coll_base_allgatherv_intra_ring,
// coll_base_allgatherv.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/gathered.h"

namespace strata::collectives {

void ring_allgather(const Collective& call, const Settings&, int rank, Steps& steps) {
  const int p = call.ranks;
  const Gathered gathered(call);
  gathered.copy_own(rank, steps);
  for (int round = 0; round + 1 < p; ++round) {
    steps.send_receive((rank + 1) % p, gathered.blocks((rank - round + p) % p), (rank - 1 + p) % p,
                       gathered.blocks((rank - round - 1 + p) % p));
  }
}

}  // namespace strata::collectives
