// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Allgatherv as a linear gather to rank 0, without messages for empty blocks, and a broadcast of the whole vector.
// The broadcast has one element, a datatype that holds all blocks, and the library chooses its algorithm for that: it
// has no segments, and algorithms that divide the vector by elements do not.
//
// Source: ompi_coll_base_allgatherv_intra_basic_default, coll_base_allgatherv.c, and mca_coll_basic_gatherv_intra,
// coll_basic_gatherv.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/gathered.h"

namespace strata::collectives {

void gather_broadcast_allgatherv(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Gathered gathered(call);
  if (rank == 0) {
    gathered.copy_own(0, steps);
    for (int from = 1; from < call.ranks; ++from) {
      if (gathered.blocks(from).count > 0) steps.receive(from, gathered.blocks(from));
    }
  } else if (gathered.own(rank).count > 0) {
    steps.send(0, gathered.own(rank));
  }
  const std::int64_t all = gathered.total();
  Steps broadcast;
  settings.part(
      {.operation = Operation::kBcast, .ranks = call.ranks, .count = 1, .element_bytes = all * call.element_bytes},
      rank, broadcast);
  steps.append(broadcast, [&](Range range) {
    range.first *= all;
    range.count *= all;
    return range;
  });
}

}  // namespace strata::collectives
