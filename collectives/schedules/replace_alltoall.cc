// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Alltoall and MPI_Alltoallv with MPI_IN_PLACE: each pair of ranks exchanges its blocks, from rank 0's pairs on,
// and each rank sends its own block to itself. The block that is sent is copied before. For 3 ranks:
//
//   0 <-> 0, 0 <-> 1, 0 <-> 2, 1 <-> 1, 1 <-> 2, 2 <-> 2
//
// Cost: p messages of m bytes one after the other, which are copied before. Source:
// MPIR_Alltoall_intra_pairwise_sendrecv_replace, alltoall_intra_pairwise_sendrecv_replace.c, the same of
// alltoallv, and MPIC_Sendrecv_replace, helper_fns.c, MPICH 4.0.2.
#include "collectives/schedules/exchanged_blocks.h"
#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {

void replace_alltoall(const Collective& call, const Settings&, int rank, Steps& steps) {
  if (call.count == 0 && call.counts.empty()) return;
  const ExchangedBlocks blocks(call, rank);
  // The pairs of a rank in the order of all pairs: with the ranks below it, with itself, with those above.
  for (int other = 0; other < call.ranks; ++other) {
    const Range block = blocks.received[other], sent = {Buffer::kFirst, 0, block.count};
    steps.copy(block, sent);
    steps.send_receive(other, sent, other, block);
  }
}

}  // namespace strata::collectives
