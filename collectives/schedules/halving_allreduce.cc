// SPDX-License-Identifier: LGPL-2.1-only
// Rabenseifner's allreduce: a reduce-scatter by vector halving (halving.h), then an allgather that does its rounds in
// reverse. Ranks that took no part get the result from the other rank of their pair. For 8 ranks, after the halving:
//
//   0 <-> 4, 1 <-> 5, ...   an eighth of the vector each
//   0 <-> 2, 1 <-> 3, ...   a quarter
//   0 <-> 1, 2 <-> 3, ...   a half
//
// With operations that are not commutative, or fewer elements than ranks, the linear allreduce takes its place.
// Cost: 2 log2 p messages, 2 m (p - 1) / p bytes sent and m (p - 1) / p combined by each rank. Source:
// ompi_coll_base_allreduce_intra_redscat_allgather, coll_base_allreduce.c, Open MPI 4.1.4.
#include <bit>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/halving.h"

namespace strata::collectives {

void halving_allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Range all = {Buffer::kOutput, 0, call.count};
  const auto power = static_cast<int>(std::bit_floor(static_cast<unsigned>(call.ranks)));
  if (call.count < power || !call.commutative) return linear_allreduce(call, settings, rank, steps);
  if (!call.in_place) steps.copy({Buffer::kInput, 0, call.count}, all);
  const Halving h = reduce_by_halving(call, Buffer::kOutput, rank, steps);
  allgather_halves(h, steps);
  if (!h.is_in_pair(rank)) return;
  if (rank % 2 == 0) {
    steps.send(rank + 1, all);
  } else {
    steps.receive(rank - 1, all);
  }
}

}  // namespace strata::collectives
