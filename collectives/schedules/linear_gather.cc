// SPDX-License-Identifier: LGPL-2.1-only
// Gather by the root, which receives each rank's block, one after the other. For 8 ranks and root 0:
//
//   1 -> 0  2 -> 0  3 -> 0  4 -> 0  5 -> 0  6 -> 0  7 -> 0
//
// Cost: the root receives (p - 1) m bytes. Source: ompi_coll_base_gather_intra_basic_linear, coll_base_gather.c, Open
// MPI 4.1.4.
#include "collectives/schedules/algorithms.h"

namespace strata::collectives {

void linear_gather(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Range own = {Buffer::kInput, 0, call.count};
  if (rank != call.root) return steps.send(call.root, own);
  for (int from = 0; from < call.ranks; ++from) {
    const Range block = {Buffer::kOutput, from * call.count, call.count};
    if (from != rank) {
      steps.receive(from, block);
    } else if (!call.in_place) {
      steps.copy(own, block);
    }
  }
}

}  // namespace strata::collectives
