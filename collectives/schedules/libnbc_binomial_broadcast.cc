// SPDX-License-Identifier: LGPL-2.1-only
// Nonblocking broadcast along a binomial tree. A rank receives in one round, and sends to all children in the next. For
// 8 ranks, by round of the rank:
//
//            receives    sends
//   rank 0               round 0: to 1, 2, 4
//   rank 1   round 0     round 1: to 3, 5
//   rank 2   round 0     round 1: to 6
//   rank 3   round 0     round 1: to 7
//   4 to 7   round 0
//
// Another root changes places with rank 0. Source: bcast_sched_binomial, nbc_ibcast.c, Open MPI 5.0.7.
#include <bit>

#include "collectives/schedules/libnbc.h"

namespace strata::collectives {

Rounds libnbc_binomial_broadcast(const Collective& call, int rank) {
  const Range all = {Buffer::kOutput, 0, call.count};
  const int place = libnbc_place(rank, call.root);
  Rounds rounds;
  if (place != 0) {
    const int highest = static_cast<int>(std::bit_floor(static_cast<unsigned>(place)));
    rounds.receive(libnbc_place(place - highest, call.root), all);
    rounds.end_round();
  }
  for (int bit = 1; place + bit < call.ranks; bit *= 2) {
    if (bit > place) rounds.send(libnbc_place(place + bit, call.root), all);
  }
  return rounds;
}

}  // namespace strata::collectives
