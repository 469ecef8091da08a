// SPDX-License-Identifier: LGPL-2.1-only
// Allgather of two ranks: they exchange their blocks, and then copy their own. Cost: one message. Source:
// ompi_coll_base_allgather_intra_two_procs, coll_base_allgather.c, and ompi_coll_base_allgatherv_intra_two_procs,
// coll_base_allgatherv.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/gathered.h"

namespace strata::collectives {

void two_rank_allgather(const Collective& call, const Settings&, int rank, Steps& steps) {
  const int other = 1 - rank;
  const Gathered gathered(call);
  steps.send_receive(other, gathered.own(rank), other, gathered.blocks(other));
  gathered.copy_own(rank, steps);
}

}  // namespace strata::collectives
