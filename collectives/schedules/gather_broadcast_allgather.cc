// SPDX-License-Identifier: LGPL-2.1-only
// Allgather as a gather to rank 0 and a broadcast of the whole vector, each as the library would choose it. Source:
// ompi_coll_base_allgather_intra_basic_linear, coll_base_allgather.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"

namespace strata::collectives {

void gather_broadcast_allgather(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  Collective gather = call, broadcast = call;
  gather.operation = Operation::kGather;
  gather.root = broadcast.root = 0;
  settings.part(gather, rank, steps);
  broadcast.operation = Operation::kBcast;
  broadcast.count = call.ranks * call.count;
  settings.part(broadcast, rank, steps);
}

}  // namespace strata::collectives
