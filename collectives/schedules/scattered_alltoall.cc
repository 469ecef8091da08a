// SPDX-License-Identifier: LGPL-2.1-only
// All-to-all with up to 32 messages at the same time (MPIR_CVAR_ALLTOALL_THROTTLE): a rank starts 32 receives from the
// ranks from itself on, upwards, and 32 sends from itself on, downwards, waits for all, and goes on. Its own block is a
// message, too. MPI_Alltoallv leaves out empty blocks. For rank 2 of 4: receives from 2, 3, 0, 1, sends to 2, 1, 0, 3.
//
// Cost: p m bytes sent by each rank. Source: MPIR_Alltoall_intra_scattered, alltoall_intra_scattered.c, and
// MPIR_Alltoallv_intra_scattered, alltoallv_intra_scattered.c, MPICH 4.0.2.
#include <algorithm>

#include "collectives/schedules/exchanged_blocks.h"
#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {

void scattered_alltoall(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const int p = call.ranks, together = settings.requests > 0 ? settings.requests : p;
  const ExchangedBlocks blocks(call, rank);
  for (int first = 0; first < p; first += together) {
    const int end = std::min(p, first + together);
    std::vector<int> requests;
    for (int d = first; d < end; ++d) {
      const int from = (rank + d) % p;
      if (blocks.received[from].count > 0) requests.push_back(steps.start_receive(from, blocks.received[from]));
    }
    for (int d = first; d < end; ++d) {
      const int to = (rank - d + p) % p;
      if (blocks.sent[to].count > 0) requests.push_back(steps.start_send(to, blocks.sent[to]));
    }
    for (const int request : requests) steps.wait(request);
  }
}

}  // namespace strata::collectives
