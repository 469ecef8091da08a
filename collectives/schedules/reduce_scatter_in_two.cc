// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Reduce_scatter_block as a reduction to rank 0 and a scatter, each as the library would choose it. Source:
// ompi_coll_base_reduce_scatter_block_basic_linear, coll_base_reduce_scatter_block.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"

namespace strata::collectives {

void reduce_scatter_in_two(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (call.count == 0) return;
  Steps parts[2];
  Collective reduce = call, scatter = call;
  reduce.operation = Operation::kReduce;
  reduce.root = scatter.root = 0;
  reduce.count = call.ranks * call.count;
  reduce.in_place = scatter.in_place = false;
  scatter.operation = Operation::kScatter;
  // The reduced vector is in a buffer of its own, from where it is scattered.
  const auto between = [&](Steps& part, Buffer is, Buffer becomes) {
    steps.append(part, [&](Range range) {
      if (range.in == is) range.in = becomes;
      return range;
    });
  };
  settings.part(reduce, rank, parts[0]);
  between(parts[0], Buffer::kOutput, Buffer::kFifth);
  settings.part(scatter, rank, parts[1]);
  between(parts[1], Buffer::kInput, Buffer::kFifth);
}

}  // namespace strata::collectives
