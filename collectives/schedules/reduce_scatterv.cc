// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Reduce_scatter as a reduction to rank 0, as the library would choose it, and a linear scatter, without messages
// for empty blocks.
//
// Source: ompi_coll_base_reduce_scatter_intra_nonoverlapping, coll_base_reduce_scatter.c, and
// mca_coll_basic_scatterv_intra, coll_basic_scatterv.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/rank_blocks.h"

namespace strata::collectives {

void reduce_scatterv(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const RankBlocks blocks(call);
  // The reduced vector of rank 0; with MPI_IN_PLACE it stays in the output, where its own block is the first.
  const Buffer reduced = call.in_place ? Buffer::kOutput : Buffer::kFifth;
  Collective reduce = call;
  reduce.operation = Operation::kReduce;
  reduce.root = 0;
  reduce.count = blocks.total();
  reduce.counts.clear();
  Steps part;
  settings.part(reduce, rank, part);
  steps.append(part, [&](Range range) {
    if (range.in == Buffer::kOutput) range.in = reduced;
    return range;
  });
  const Range own = {Buffer::kOutput, 0, blocks.block(reduced, rank).count};
  if (rank != 0) {
    if (own.count > 0) steps.receive(0, own);
    return;
  }
  for (int to = 0; to < call.ranks; ++to) {
    const Range block = blocks.block(reduced, to);
    if (to == 0) {
      steps.copy(block, own);
    } else if (block.count > 0) {
      steps.send(to, block);
    }
  }
}

}  // namespace strata::collectives
