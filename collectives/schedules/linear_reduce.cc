// SPDX-License-Identifier: LGPL-2.1-only
// Reduction by the root, which receives from the other ranks one after the other, from the last to the first, so that
// the order of operands is that of ranks. For 4 ranks and root 1:
//
//   output = data of 3;  data of 2 op output;  own data op output;  data of 0 op output
//
// Cost: the root receives and combines (p - 1) m bytes. Source: ompi_coll_base_reduce_intra_basic_linear,
// coll_base_reduce.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"

namespace strata::collectives {

void linear_reduce(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Range input = {Buffer::kInput, 0, call.count}, inbox = {Buffer::kFirst, 0, call.count};
  if (rank != call.root) return steps.send(call.root, input);
  // With MPI_IN_PLACE the input is in the output, so the sum is made elsewhere.
  const Range sum = {call.in_place ? Buffer::kSecond : Buffer::kOutput, 0, call.count};
  const int last = call.ranks - 1;
  if (rank == last) {
    steps.copy(input, sum);
  } else {
    steps.receive(last, sum);
  }
  for (int from = last - 1; from >= 0; --from) {
    if (from != rank) steps.receive(from, inbox);
    steps.combine(from == rank ? input : inbox, sum);
  }
  if (call.in_place) steps.copy(sum, {Buffer::kOutput, 0, call.count});
}

}  // namespace strata::collectives
