// SPDX-License-Identifier: LGPL-2.1-only
// Bruck's all-to-all: blocks travel 1, 2, 4, ... ranks on, if that bit of their distance is set, several in one
// message. For 8 ranks, rank r sends:
//
//   to r + 1  the blocks for distances 1, 3, 5, 7
//   to r + 2  those for 2, 3, 6, 7
//   to r + 4  those for 4, 5, 6, 7
//
// Blocks are in the order of distances, so they are rotated before and put in their places at the end.
// Cost: ceil(log2 p) messages one after the other, of about p m / 2 bytes each. Source:
// ompi_coll_base_alltoall_intra_bruck, coll_base_alltoall.c, Open MPI 4.1.4; J. Bruck et al., IEEE TPDS 8(11), 1997.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/alltoall_in_place.h"

namespace strata::collectives {

void bruck_alltoall(const Collective& call, const Settings&, int rank, Steps& steps) {
  if (call.in_place) return alltoall_in_place(call, rank, steps);
  const int p = call.ranks;
  const std::int64_t m = call.count;
  steps.copy({Buffer::kInput, rank * m, (p - rank) * m}, {Buffer::kFirst, 0, (p - rank) * m});
  steps.copy({Buffer::kInput, 0, rank * m}, {Buffer::kFirst, (p - rank) * m, rank * m});
  for (int distance = 1; distance < p; distance *= 2) {
    std::int64_t blocks = 0;
    for (int d = 1; d < p; ++d) blocks += (d & distance) != 0 ? 1 : 0;
    const auto those = [&](Buffer in) { return Range{in, distance * m, blocks * m, distance * m, 2 * distance * m}; };
    steps.send_receive((rank + distance) % p, those(Buffer::kFirst), (rank - distance + p) % p, those(Buffer::kOutput));
    steps.copy(those(Buffer::kOutput), those(Buffer::kFirst));
  }
  for (int d = 0; d < p; ++d) {
    steps.copy({Buffer::kFirst, d * m, m}, {Buffer::kOutput, (rank - d + p) % p * m, m});
  }
}

}  // namespace strata::collectives
