// SPDX-License-Identifier: LGPL-2.1-only
// Nonblocking reduction along a binomial tree. A rank receives from one child in each round, combines in the next one,
// and sends to its parent in the last. For 8 ranks:
//
//   rank 0    receives from 1; combines; receives from 2; combines; receives from 4; combines
//   rank 4    receives from 5; combines; receives from 6; combines; sends to 0
//   rank 2    receives from 3; combines; sends to 0
//   rank 1    sends to 0
//
// The sum moves between two buffers, because the received data are the right operand, which has the result. Another
// root changes places with rank 0. Source: red_sched_binomial, nbc_ireduce.c, Open MPI 5.0.7, for operations that are
// commutative.
#include <bit>
#include <utility>

#include "collectives/schedules/libnbc.h"

namespace strata::collectives {

Rounds libnbc_binomial_reduce(const Collective& call, int rank) {
  const bool is_root = rank == call.root, in_place = is_root && call.in_place;
  const int place = libnbc_place(rank, call.root);
  const int levels = std::bit_width(static_cast<unsigned>(call.ranks - 1));
  const Range input = {Buffer::kInput, 0, call.count};
  // After as many combinations as there are levels, the root's sum is in the output.
  Range sum = {is_root ? Buffer::kOutput : Buffer::kSecond, 0, call.count}, inbox = {Buffer::kFirst, 0, call.count};
  Rounds rounds;
  if (levels % 2 != 0) {
    if (in_place) {
      rounds.copy(sum, inbox);
      rounds.end_round();
    }
    std::swap(sum, inbox);
  }
  bool has_sum = in_place;
  for (int bit = 1; bit < call.ranks; bit *= 2) {
    if ((place & bit) != 0) {
      rounds.send(libnbc_place(place - bit, call.root), has_sum ? sum : input);
      break;
    }
    if (place + bit >= call.ranks) continue;
    rounds.receive(libnbc_place(place + bit, call.root), inbox);
    rounds.end_round();
    rounds.combine(has_sum ? sum : input, inbox);
    rounds.end_round();
    std::swap(sum, inbox);
    has_sum = true;
  }
  return rounds;
}

}  // namespace strata::collectives
