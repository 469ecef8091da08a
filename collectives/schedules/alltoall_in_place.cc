// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/schedules/alltoall_in_place.h"

#include "collectives/schedules/exchanged_blocks.h"

namespace strata::collectives {

void alltoall_in_place(const Collective& call, int rank, Steps& steps) {
  const int p = call.ranks;
  const ExchangedBlocks blocks(call, rank);
  for (int distance = 1; distance <= p / 2; ++distance) {
    const int right = (rank + distance) % p, left = (rank + p - distance) % p;
    const Range of_right = blocks.received[right], of_left = blocks.received[left];
    const Range kept = {Buffer::kFirst, 0, of_right.count};
    int request = -1;
    if (of_right.count > 0) {
      steps.copy(of_right, kept);
      request = steps.start_receive(right, of_right);
    }
    if (left != right && of_left.count > 0) {
      steps.send(left, of_left);
      steps.wait(request);
      request = steps.start_receive(left, of_left);
    }
    if (of_right.count > 0) steps.send(right, kept);
    steps.wait(request);
  }
}

}  // namespace strata::collectives
