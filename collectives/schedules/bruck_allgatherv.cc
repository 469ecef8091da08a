// SPDX-License-Identifier: LGPL-2.1-only
// Bruck's allgather for blocks of different lengths: in round k, a rank sends the blocks of the 2^k ranks from itself
// on to the rank 2^k before it. Blocks are at their places from the beginning, so nothing is rotated. For rank 6 of 8:
//
//   sends block 6 to 5, receives 7 from 7
//   sends blocks 6, 7 to 4, receives 0, 1 from 0
//   sends blocks 6, 7, 0, 1 to 2, receives 2, 3, 4, 5 from 2
//
// Cost: ceil(log2 p) messages one after the other. Source: ompi_coll_base_allgatherv_intra_bruck,
// coll_base_allgatherv.c, Open MPI 4.1.4.
#include <algorithm>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/gathered.h"

namespace strata::collectives {

void bruck_allgatherv(const Collective& call, const Settings&, int rank, Steps& steps) {
  const int p = call.ranks;
  const Gathered gathered(call);
  gathered.copy_own(rank, steps);
  for (int distance = 1; distance < p; distance *= 2) {
    const int from = (rank + distance) % p, number = std::min(distance, p - distance);
    steps.send_receive((rank - distance + p) % p, gathered.cyclic(rank, number), from, gathered.cyclic(from, number));
  }
}

}  // namespace strata::collectives
