// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Allgatherv by recursive doubling, in a temporary buffer: as recursive_doubling_allgather.cc, but blocks are put
// together in the buffer, and each is copied to its place at the end. For 4 ranks, rank 0:
//
//   own block to the buffer
//   0 <-> 1   one block
//   0 <-> 2   two
//   copies 4 blocks to the output, with MPI_IN_PLACE all but its own
//
// The number of ranks is a power of two. Cost: log2 p messages one after the other. Source:
// MPIR_Allgatherv_intra_recursive_doubling, allgatherv_intra_recursive_doubling.c, MPICH 4.0.2.
#include "collectives/schedules/gathered.h"
#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {

void doubling_allgatherv(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Gathered gathered(call);
  if (gathered.total() == 0) return;
  const auto together = [&](int first, int number) {
    Range range = gathered.blocks(first, number);
    range.in = Buffer::kFirst;
    return range;
  };
  steps.copy(gathered.own(rank), together(rank, 1));
  for (int distance = 1; distance < call.ranks; distance *= 2) {
    const int partner = rank ^ distance, mine = rank / distance * distance, theirs = partner / distance * distance;
    steps.send_receive(partner, together(mine, distance), partner, together(theirs, distance));
  }
  for (int r = 0; r < call.ranks; ++r) {
    if (!call.in_place || r != rank) steps.copy(together(r, 1), gathered.blocks(r));
  }
}

}  // namespace strata::collectives
