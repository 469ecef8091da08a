// SPDX-License-Identifier: LGPL-2.1-only
// Allreduce by recursive doubling as in recursive_doubling_allreduce.cc, but with the sum in the output, where it is
// copied to if the order of operands matters and the other rank is the higher one. For ranks 0 and 1 of 2:
//
//   rank 0: inbox = output op inbox, output = inbox        rank 1: output = inbox op output
//
// Cost: log2 p messages of m bytes, each combined. Source: MPIR_Allreduce_intra_recursive_doubling,
// allreduce_intra_recursive_doubling.c, MPICH 4.0.2.
#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/pairs.h"

namespace strata::collectives {

void doubling_allreduce(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Range sum = {Buffer::kOutput, 0, call.count}, inbox = {Buffer::kFirst, 0, call.count};
  const Pairs pairs{call.ranks};
  if (!call.in_place) steps.copy({Buffer::kInput, 0, call.count}, sum);
  const int number = pairs.number(rank);
  if (number < 0) {
    steps.send(rank + 1, sum);
    return steps.receive(rank + 1, sum);
  }
  if (pairs.is_in_pair(rank)) {
    steps.receive(rank - 1, inbox);
    steps.combine(inbox, sum);
  }
  for (int bit = 1; bit < pairs.power(); bit *= 2) {
    const int partner = pairs.rank(number ^ bit);
    steps.send_receive(partner, sum, partner, inbox);
    if (call.commutative || partner < rank) {
      steps.combine(inbox, sum);
    } else {
      steps.combine(sum, inbox);
      steps.copy(inbox, sum);
    }
  }
  if (pairs.is_in_pair(rank)) steps.send(rank - 1, sum);
}

}  // namespace strata::collectives
