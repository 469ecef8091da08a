// SPDX-License-Identifier: LGPL-2.1-only
// Allreduce as a reduction on each node, an allreduce between the first ranks of the nodes, and a broadcast on each
// node, as the library chooses them. For nodes {0, 1}, {2, 3}: 1 -> 0, 3 -> 2; 0 <-> 2; 0 -> 1, 2 -> 3.
//
// The operation is commutative, or nodes have consecutive ranks. Source: MPIR_Allreduce_intra_smp,
// allreduce_intra_smp.c, and MPIDI_Allreduce_intra_composition_alpha, ch4_coll_impl.h, MPICH 4.0.2.
#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/node_communicators.h"

namespace strata::collectives {

void node_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Nodes nodes(call, rank);
  const PartBuffers in_output = {Buffer::kOutput, Buffer::kOutput};
  if (nodes.is_alone() && !call.in_place) steps.copy({Buffer::kInput, 0, call.count}, {Buffer::kOutput, 0, call.count});
  append_part(settings, part_of(call, Operation::kReduce, 0, call.in_place), nodes.here(), rank, {}, steps);
  if (nodes.is_first(rank)) {
    append_part(settings, part_of(call, Operation::kAllreduce, 0, true), nodes.firsts(), rank, in_output, steps);
  }
  append_part(settings, part_of(call, Operation::kBcast), nodes.here(), rank, in_output, steps);
}

}  // namespace strata::collectives
