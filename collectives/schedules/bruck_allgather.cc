// SPDX-License-Identifier: LGPL-2.1-only
// Bruck's allgather: in round k, a rank sends all blocks that it has, 2^k of them, to the rank 2^k before it. Blocks
// are in the order of ranks from this one on, so they are rotated to their places at the end. For rank 0 of 8:
//
//   sends block 0 to 7, receives 1 from 1
//   sends blocks 0..1 to 6, receives 2..3 from 2
//   sends blocks 0..3 to 4, receives 4..7 from 4
//
// With other numbers of ranks, the last round sends only what lacks.
// Cost: ceil(log2 p) messages one after the other, (p - 1) m bytes sent by each rank, p m copied. Source:
// ompi_coll_base_allgather_intra_bruck, coll_base_allgather.c, Open MPI 4.1.4; J. Bruck et al., Efficient Algorithms
// for All-to-All Communications in Multiport Message-Passing Systems, IEEE TPDS 8(11), 1997.
#include <algorithm>

#include "collectives/schedules/algorithms.h"

namespace strata::collectives {

void bruck_allgather(const Collective& call, const Settings&, int rank, Steps& steps) {
  const int p = call.ranks;
  const std::int64_t m = call.count;
  const auto blocks = [&](Buffer in, std::int64_t first, std::int64_t number) {
    return Range{in, first * m, number * m};
  };
  if (!call.in_place) {
    steps.copy(blocks(Buffer::kInput, 0, 1), blocks(Buffer::kOutput, 0, 1));
  } else if (rank != 0) {
    steps.copy(blocks(Buffer::kOutput, rank, 1), blocks(Buffer::kOutput, 0, 1));
  }
  for (int distance = 1; distance < p; distance *= 2) {
    const int number = std::min(distance, p - distance);
    steps.send_receive((rank - distance + p) % p, blocks(Buffer::kOutput, 0, number), (rank + distance) % p,
                       blocks(Buffer::kOutput, distance, number));
  }
  if (rank == 0) return;
  steps.copy(blocks(Buffer::kOutput, 0, p - rank), blocks(Buffer::kFirst, 0, p - rank));
  steps.copy(blocks(Buffer::kOutput, p - rank, rank), blocks(Buffer::kOutput, 0, rank));
  steps.copy(blocks(Buffer::kFirst, 0, p - rank), blocks(Buffer::kOutput, rank, p - rank));
}

}  // namespace strata::collectives
