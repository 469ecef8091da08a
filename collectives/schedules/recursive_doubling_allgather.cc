// SPDX-License-Identifier: LGPL-2.1-only
// Allgather by recursive doubling: in each round, two ranks exchange all blocks that they have. For 8 ranks:
//
//   0 <-> 1, 2 <-> 3, ...   one block
//   0 <-> 2, 1 <-> 3, ...   two
//   0 <-> 4, 1 <-> 5, ...   four
//
// If the number of ranks is not a power of two, Bruck's algorithm takes its place.
// Cost: log2 p messages one after the other, (p - 1) m bytes sent by each rank. Source:
// ompi_coll_base_allgather_intra_recursivedoubling, coll_base_allgather.c, Open MPI 4.1.4.
#include <bit>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/gathered.h"

namespace strata::collectives {

void recursive_doubling_allgather(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (!std::has_single_bit(static_cast<unsigned>(call.ranks))) return bruck_allgather(call, settings, rank, steps);
  const Gathered gathered(call);
  gathered.copy_own(rank, steps);
  for (int distance = 1; distance < call.ranks; distance *= 2) {
    const int partner = rank ^ distance, mine = rank / distance * distance, theirs = partner / distance * distance;
    steps.send_receive(partner, gathered.blocks(mine, distance), partner, gathered.blocks(theirs, distance));
  }
}

}  // namespace strata::collectives
