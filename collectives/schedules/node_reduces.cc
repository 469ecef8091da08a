// SPDX-License-Identifier: LGPL-2.1-only
// Reductions on each node, then between nodes, as the library chooses them. For root 3 on nodes {0, 1}, {2, 3}:
//
//   long vectors    1 -> 0, 3 -> 2 on the nodes; 2 -> 0; 0 -> 3, which sends the result to the root
//   short vectors   1 -> 0 on the other nodes; 0 -> 2, with the data of 2 alone; 2 -> 3 on the root's node
//
// MPICH 4.0.2 does the first wrongly in two cases: if rank 0 is alone on its node, its data are missing from the result
// (a sum of ones of 4 ranks is 3), and if the root's data are in place and it is not the first rank of its node, the
// program ends in a segmentation fault, because the address MPI_IN_PLACE is read. Here the result is right; in the
// first case rank 0 copies its data, which MPICH does not.
//
// The operation is commutative. Source: MPIDI_Reduce_intra_composition_alpha (long vectors) and _beta,
// ch4_coll_impl.h, and MPIR_Reduce_intra_smp, reduce_intra_smp.c, MPICH 4.0.2.
#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/node_communicators.h"

namespace strata::collectives {
namespace {

Range whole(const Collective& call, Buffer in) { return {in, 0, call.count}; }

}  // namespace

void rank_0_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Nodes nodes(call, rank);
  const bool is_root = rank == call.root;
  const Buffer sum = is_root ? Buffer::kOutput : Buffer::kFourth;
  const bool here_in_place = call.in_place && nodes.here().front() == call.root;
  append_part(settings, part_of(call, Operation::kReduce, 0, here_in_place), nodes.here(), rank, {Buffer::kInput, sum},
              steps);
  if (nodes.is_first(rank)) {
    if (rank == 0 && nodes.is_alone() && !(is_root && call.in_place)) {
      steps.copy(whole(call, Buffer::kInput), whole(call, sum));
    }
    const Buffer input = rank != 0 && nodes.is_alone() ? Buffer::kInput : sum;
    append_part(settings, part_of(call, Operation::kReduce, 0, true), nodes.firsts(), rank, {input, sum}, steps);
  }
  if (call.root == 0) return;
  if (rank == 0) steps.send(call.root, whole(call, sum));
  if (is_root) steps.receive(0, whole(call, Buffer::kOutput));
}

void node_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Nodes nodes(call, rank);
  const int root_node = nodes.node_of(call.root);
  const bool is_root = rank == call.root, is_on_root_node = nodes.node_of(rank) == root_node;
  Buffer input = Buffer::kInput;
  if (!is_on_root_node && !nodes.is_alone()) {
    append_part(settings, part_of(call, Operation::kReduce), nodes.here(), rank, {input, Buffer::kFourth}, steps);
    input = Buffer::kFourth;
  }
  if (nodes.is_first(rank)) {
    const Buffer sum = is_root ? Buffer::kOutput : Buffer::kFourth;
    const bool first_in_place = call.in_place && nodes.firsts()[root_node] == call.root;
    append_part(settings, part_of(call, Operation::kReduce, root_node, first_in_place), nodes.firsts(), rank,
                {input, sum}, steps);
    if (nodes.firsts().size() == 1 && !(is_root && call.in_place)) steps.copy(whole(call, input), whole(call, sum));
    input = sum;
  }
  if (!is_on_root_node) return;
  const bool in_place = call.in_place || nodes.firsts()[root_node] == call.root;
  append_part(settings, part_of(call, Operation::kReduce, place_in(nodes.here(), call.root), in_place), nodes.here(),
              rank, {input, Buffer::kOutput}, steps);
}

}  // namespace strata::collectives
