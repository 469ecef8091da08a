// SPDX-License-Identifier: LGPL-2.1-only
// Allreduce by recursive doubling: in each round, two ranks exchange their sums of the whole vector. For 8 ranks:
//
//   0 <-> 1, 2 <-> 3, 4 <-> 5, 6 <-> 7
//   0 <-> 2, 1 <-> 3, 4 <-> 6, 5 <-> 7
//   0 <-> 4, 1 <-> 5, 2 <-> 6, 3 <-> 7
//
// If the number of ranks is not a power of two, the first 2 r ranks, of p = 2^k + r, make pairs, whose odd ranks stand
// in for both and send the even ones the result at the end.
// Cost: log2 p messages of m bytes, each combined. The order of operands is that of ranks. Source:
// ompi_coll_base_allreduce_intra_recursivedoubling, coll_base_allreduce.c, Open MPI 4.1.4.
#include <utility>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/pairs.h"

namespace strata::collectives {

void recursive_doubling_allreduce(const Collective& call, const Settings&, int rank, Steps& steps) {
  Range sum = {Buffer::kFirst, 0, call.count}, inbox = {Buffer::kOutput, 0, call.count};
  const Pairs pairs{call.ranks};
  steps.copy({call.in_place ? Buffer::kOutput : Buffer::kInput, 0, call.count}, sum);
  const bool in_pair = pairs.is_in_pair(rank);
  if (in_pair && rank % 2 == 0) {
    steps.send(rank + 1, sum);
    steps.receive(rank + 1, {Buffer::kOutput, 0, call.count});
    return;
  }
  if (in_pair) {
    steps.receive(rank - 1, inbox);
    steps.combine(inbox, sum);
  }
  const int number = pairs.number(rank);
  for (int bit = 1; bit < pairs.power(); bit *= 2) {
    const int partner = pairs.rank(number ^ bit);
    steps.send_receive(partner, sum, partner, inbox);
    if (rank < partner) {
      steps.combine(sum, inbox);
      std::swap(sum, inbox);
    } else {
      steps.combine(inbox, sum);
    }
  }
  if (in_pair) steps.send(rank - 1, sum);
  if (sum.in != Buffer::kOutput) steps.copy(sum, {Buffer::kOutput, 0, call.count});
}

}  // namespace strata::collectives
