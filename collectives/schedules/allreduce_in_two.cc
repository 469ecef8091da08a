// SPDX-License-Identifier: LGPL-2.1-only
// Allreduce as a reduction to rank 0 and a broadcast of its result: the linear ones, or those that the library would
// choose for such a reduction and broadcast.
//
// Cost: the sum of both. Source: ompi_coll_base_allreduce_intra_basic_linear and _nonoverlapping,
// coll_base_allreduce.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"

namespace strata::collectives {
namespace {

Collective part_of(const Collective& call, Operation operation) {
  Collective part = call;
  part.operation = operation;
  part.root = 0;
  return part;
}

}  // namespace

void linear_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  linear_reduce(part_of(call, Operation::kReduce), settings, rank, steps);
  linear_broadcast(part_of(call, Operation::kBcast), settings, rank, steps);
}

void reduce_broadcast_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  settings.part(part_of(call, Operation::kReduce), rank, steps);
  settings.part(part_of(call, Operation::kBcast), rank, steps);
}

}  // namespace strata::collectives
