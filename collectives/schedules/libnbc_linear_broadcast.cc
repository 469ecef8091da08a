// SPDX-License-Identifier: LGPL-2.1-only
// Nonblocking broadcast by messages of the root to each rank, in one round. For 8 ranks:
//
//   round 0    0 -> 1  0 -> 2  0 -> 3  0 -> 4  0 -> 5  0 -> 6  0 -> 7
//
// Source: bcast_sched_linear, nbc_ibcast.c, Open MPI 5.0.7.
#include "collectives/schedules/libnbc.h"

namespace strata::collectives {

Rounds libnbc_linear_broadcast(const Collective& call, int rank) {
  const Range all = {Buffer::kOutput, 0, call.count};
  Rounds rounds;
  if (rank != call.root) {
    rounds.receive(call.root, all);
    return rounds;
  }
  for (int to = 0; to < call.ranks; ++to) {
    if (to != rank) rounds.send(to, all);
  }
  return rounds;
}

}  // namespace strata::collectives
