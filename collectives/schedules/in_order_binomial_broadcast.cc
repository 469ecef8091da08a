// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast along an in-order binomial tree, one message after the other, to the farthest child first. For 8 ranks:
//
//   0 -> 4
//   0 -> 2  4 -> 6
//   0 -> 1  2 -> 3  4 -> 5  6 -> 7
//
// Cost: log2 p messages of m bytes one after the other. Source: MPIR_Bcast_intra_binomial, bcast_intra_binomial.c,
// MPICH 4.0.2.
#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/tree_places.h"

namespace strata::collectives {

void in_order_binomial_broadcast(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Place place = in_order_binomial_tree(call.ranks, call.root, rank);
  const Range all = {Buffer::kOutput, 0, call.count};
  if (rank != call.root) steps.receive(place.parent, all);
  for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) steps.send(*child, all);
}

}  // namespace strata::collectives
