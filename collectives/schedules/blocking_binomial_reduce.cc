// SPDX-License-Identifier: LGPL-2.1-only
// Reduction along an in-order binomial tree: a rank receives from its children one after the other, the nearest first,
// and combines each vector before the next. For 8 ranks and root 0:
//
//   1 -> 0  3 -> 2  5 -> 4  7 -> 6
//   2 -> 0  6 -> 4
//   4 -> 0
//
// With an operation that is not commutative, the tree has root 0, which sends the result to the call's root.
// Cost: log2 p messages of m bytes one after the other, each combined. Source: MPIR_Reduce_intra_binomial,
// reduce_intra_binomial.c, MPICH 4.0.2.
#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/tree_places.h"

namespace strata::collectives {

void blocking_binomial_reduce(const Collective& call, const Settings&, int rank, Steps& steps) {
  const auto all = [&](Buffer in) { return Range{in, 0, call.count}; };
  const bool is_root = rank == call.root;
  const Range sum = all(is_root ? Buffer::kOutput : Buffer::kSecond), inbox = all(Buffer::kFirst);
  if (!is_root || !call.in_place) steps.copy(all(Buffer::kInput), sum);
  const int top = call.commutative ? call.root : 0;
  const Place place = in_order_binomial_tree(call.ranks, top, rank);
  for (const int child : place.children) {
    steps.receive(child, inbox);
    if (call.commutative) {
      steps.combine(inbox, sum);
    } else {
      steps.combine(sum, inbox);
      steps.copy(inbox, sum);
    }
  }
  if (rank != top) steps.send(place.parent, sum);
  if (top == call.root) return;
  if (rank == top) steps.send(call.root, sum);
  if (is_root) steps.receive(top, sum);
}

}  // namespace strata::collectives
