// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast by messages of the root to each rank, in the order of ranks. For 8 ranks:
//
//   0 -> 1  0 -> 2  0 -> 3  0 -> 4  0 -> 5  0 -> 6  0 -> 7
//
// Cost: the root sends (p - 1) m bytes. Source: ompi_coll_base_bcast_intra_basic_linear, coll_base_bcast.c, 4.1.4.
#include "collectives/schedules/algorithms.h"

namespace strata::collectives {

void linear_broadcast(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Range all = {Buffer::kOutput, 0, call.count};
  if (rank != call.root) return steps.receive(call.root, all);
  std::vector<int> sends;
  for (int to = 0; to < call.ranks; ++to) {
    if (to != rank) sends.push_back(steps.start_send(to, all));
  }
  for (const int request : sends) steps.wait(request);
}

}  // namespace strata::collectives
