// SPDX-License-Identifier: LGPL-2.1-only
// Barrier on each node, then between the first ranks of the nodes, and then a broadcast of a byte on each node. For
// nodes {0, 1}, {2, 3}: 0 <-> 1, 2 <-> 3; 0 <-> 2; 0 -> 1, 2 -> 3.
//
// Source: MPIR_Barrier_intra_smp, barrier_intra_smp.c, and MPIDI_Barrier_intra_composition_alpha, ch4_coll_impl.h,
// MPICH 4.0.2.
#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/node_communicators.h"

namespace strata::collectives {

void node_barrier(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Nodes nodes(call, rank);
  append_part(settings, part_of(call, Operation::kBarrier), nodes.here(), rank, {}, steps);
  if (nodes.is_first(rank)) {
    append_part(settings, part_of(call, Operation::kBarrier), nodes.firsts(), rank, {}, steps);
  }
  append_part(settings, {.operation = Operation::kBcast, .count = 1}, nodes.here(), rank,
              {Buffer::kFirst, Buffer::kFirst, true}, steps);
}

}  // namespace strata::collectives
