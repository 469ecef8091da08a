// SPDX-License-Identifier: LGPL-2.1-only
// Bruck's all-to-all as in bruck_alltoall.cc, but blocks travel through the output, and those of a message are packed
// before it is sent. For 8 ranks, rank r packs and sends:
//
//   to r + 1  the blocks for distances 1, 3, 5, 7
//   to r + 2  those for 2, 3, 6, 7
//   to r + 4  those for 4, 5, 6, 7
//
// Cost: ceil(log2 p) messages one after the other, of about p m / 2 bytes each, which are copied before. Source:
// MPIR_Alltoall_intra_brucks, alltoall_intra_brucks.c, MPICH 4.0.2.
#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {

void bruck_pack_alltoall(const Collective& call, const Settings&, int rank, Steps& steps) {
  const int p = call.ranks;
  const std::int64_t m = call.count;
  const auto blocks = [&](Buffer in, int first, int number) { return Range{in, first * m, number * m}; };
  steps.copy(blocks(Buffer::kInput, rank, p - rank), blocks(Buffer::kOutput, 0, p - rank));
  steps.copy(blocks(Buffer::kInput, 0, rank), blocks(Buffer::kOutput, p - rank, rank));
  for (int distance = 1; distance < p; distance *= 2) {
    int number = 0;
    for (int d = 1; d < p; ++d) number += (d & distance) != 0 ? 1 : 0;
    const Range those = {Buffer::kOutput, distance * m, number * m, distance * m, 2 * distance * m};
    const Range packed = blocks(Buffer::kFirst, 0, number);
    steps.copy(those, packed);
    steps.send_receive((rank + distance) % p, packed, (rank - distance + p) % p, those);
  }
  // Block i of the output is from rank - i: turned to p - 1, ..., 1, 0, and then put in order.
  steps.copy(blocks(Buffer::kOutput, rank + 1, p - rank - 1), blocks(Buffer::kFirst, 0, p - rank - 1));
  steps.copy(blocks(Buffer::kOutput, 0, rank + 1), blocks(Buffer::kFirst, p - rank - 1, rank + 1));
  for (int i = 0; i < p; ++i) steps.copy(blocks(Buffer::kFirst, i, 1), blocks(Buffer::kOutput, p - i - 1, 1));
}

}  // namespace strata::collectives
