// SPDX-License-Identifier: LGPL-2.1-only
// Allgather by exchanges with the two neighbours alternately: first one block, then always the two blocks that came
// last. For rank 0 of 8:
//
//   0 <-> 1  sends block 0, receives 1
//   0 <-> 7  sends blocks 0..1, receives 6..7
//   0 <-> 1  sends blocks 6..7, receives 2..3
//   0 <-> 7  sends blocks 2..3, receives 4..5
//
// With an odd number of ranks, the ring takes its place.
// Cost: p / 2 messages one after the other, (p - 1) m bytes sent by each rank. Source:
// ompi_coll_base_allgather_intra_neighborexchange, coll_base_allgather.c, and
// ompi_coll_base_allgatherv_intra_neighborexchange, coll_base_allgatherv.c, Open MPI 4.1.4; J. Chen et al., Performance
// Evaluation of Allgather Algorithms on Terascale Linux Cluster with Fast Ethernet, HPC Asia 2005.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/gathered.h"

namespace strata::collectives {

void neighbour_allgather(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const int p = call.ranks;
  if (p % 2 != 0) return ring_allgather(call, settings, rank, steps);
  const Gathered gathered(call);
  gathered.copy_own(rank, steps);
  const int forward = rank % 2 == 0 ? 1 : -1;
  const int neighbours[2] = {(rank + forward + p) % p, (rank - forward + p) % p};
  steps.send_receive(neighbours[0], gathered.blocks(rank), neighbours[0], gathered.blocks(neighbours[0]));
  const int pair = rank / 2 * 2;  // its two blocks are here now
  int last = pair, from[2] = {pair, pair};
  for (int round = 1; round < p / 2; ++round) {
    const int side = round % 2;
    // The first neighbour's news are always two further on in its direction.
    const int step = (side == 0 ? 2 : -2) * forward;
    from[side] = (from[side] + step + p) % p;
    steps.send_receive(neighbours[side], gathered.blocks(last, 2), neighbours[side], gathered.blocks(from[side], 2));
    last = from[side];
  }
}

}  // namespace strata::collectives
