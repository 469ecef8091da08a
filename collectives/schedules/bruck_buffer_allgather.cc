// SPDX-License-Identifier: LGPL-2.1-only
// Bruck's allgather in a temporary buffer: as bruck_allgather.cc and bruck_allgatherv.cc, but the blocks of a rank,
// from its own on, come one after the other in a buffer, and are copied to their places at the end. For rank 6 of 8:
//
//   own block to place 0 of the buffer
//   sends block 6 to 5, receives 7 from 7
//   sends blocks 6, 7 to 4, receives 0, 1 from 0
//   sends blocks 6, 7, 0, 1 to 2, receives 2, 3, 4, 5 from 2
//   copies 6, 7, and then 0 to 5, of MPI_Allgatherv each block by itself
//
// Cost: ceil(log2 p) messages one after the other, (p - 1) m bytes sent by each rank, p m copied. Source:
// MPIR_Allgather_intra_brucks, allgather_intra_brucks.c, and MPIR_Allgatherv_intra_brucks, allgatherv_intra_brucks.c,
// MPICH 4.0.2.
#include <algorithm>

#include "collectives/schedules/gathered.h"
#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {
namespace {

constexpr Buffer kOwnFirst = Buffer::kFirst;

void exchange(const Collective& call, const Gathered& gathered, int rank, Steps& steps) {
  const int p = call.ranks;
  const auto first = [&](int number) { return Range{kOwnFirst, 0, gathered.cyclic(rank, number).count}; };
  steps.copy(gathered.own(rank), first(1));
  for (int distance = 1; distance < p; distance *= 2) {
    const int from = (rank + distance) % p, number = std::min(distance, p - distance);
    const Range into = {kOwnFirst, first(distance).count, gathered.cyclic(from, number).count};
    steps.send_receive((rank - distance + p) % p, first(number), from, into);
  }
}

}  // namespace

void bruck_buffer_allgather(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Gathered gathered(call);
  exchange(call, gathered, rank, steps);
  const Range last = gathered.blocks(rank, call.ranks - rank), before = gathered.blocks(0, rank);
  steps.copy({kOwnFirst, 0, last.count}, last);
  steps.copy({kOwnFirst, last.count, before.count}, before);
}

void bruck_buffer_allgatherv(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Gathered gathered(call);
  if (gathered.total() == 0) return;
  exchange(call, gathered, rank, steps);
  std::int64_t place = 0;
  for (int d = 0; d < call.ranks; ++d) {
    const Range block = gathered.blocks((rank + d) % call.ranks);
    steps.copy({kOwnFirst, place, block.count}, block);
    place += block.count;
  }
}

}  // namespace strata::collectives
