// SPDX-License-Identifier: LGPL-2.1-only
// Rabenseifner's reduction: a reduce-scatter by vector halving (halving.h), then a gather along a binomial tree, whose
// rounds are those of the halving in reverse. For 8 ranks and root 0, after the halving:
//
//   4 -> 0, 5 -> 1, ...   an eighth of the vector
//   2 -> 0, 3 -> 1        a quarter
//   1 -> 0                a half
//
// If the root is a rank that took no part, rank 0 sends it its part, and it takes the place of rank 0 in the gather.
// With operations that are not commutative, or fewer elements than ranks, the linear reduction takes its place.
// Cost: 2 log2 p messages, 2 m (p - 1) / p bytes sent and m (p - 1) / p combined by each rank. Source:
// ompi_coll_base_reduce_intra_redscat_gather, coll_base_reduce.c, Open MPI 4.1.4.
#include <bit>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/halving.h"

namespace strata::collectives {
void halving_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(call.ranks)));
  if (call.count < power || !call.commutative) return linear_reduce(call, settings, rank, steps);
  const Buffer sum = rank == call.root ? Buffer::kOutput : Buffer::kSecond;
  if (rank != call.root || !call.in_place) steps.copy({Buffer::kInput, 0, call.count}, {sum, 0, call.count});
  gather_halves(call, reduce_by_halving(call, sum, rank, steps), sum, rank, steps);
}

}  // namespace strata::collectives
