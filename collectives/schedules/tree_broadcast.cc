// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast along a tree, in segments: a rank posts the receive of the next segment, waits for the one before and
// starts its sends to all children, for which it waits before it goes on. Along a binomial tree of 8 ranks:
//
//          0
//       1  2  4        rank 0 sends to 1, then 2, then 4
//      3 5 6           rank 1 to 3 and 5, rank 2 to 6, rank 3 to 7
//      7
//
// Cost of s segments along a chain: p + s - 2 messages of m / s bytes, one after the other; along a binomial tree
// s log2 p of them at the root. Source: ompi_coll_base_bcast_intra_generic, coll_base_bcast.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/tree_places.h"
#include "collectives/schedules/vector_parts.h"

namespace strata::collectives {
namespace {

void send_to_children(const Place& place, const Range& segment, Steps& steps) {
  std::vector<int> sends;
  for (const int child : place.children) sends.push_back(steps.start_send(child, segment));
  for (const int request : sends) steps.wait(request);
}

void along(const Place& place, const Collective& call, const Settings& settings, Steps& steps) {
  const Segments segments(call, settings);
  const int number = segments.number();
  if (place.parent < 0) {
    for (int s = 0; s < number; ++s) send_to_children(place, segments.range(Buffer::kOutput, s), steps);
    return;
  }
  int received = steps.start_receive(place.parent, segments.range(Buffer::kOutput, 0));
  for (int s = 0; s < number; ++s) {
    const int next = s + 1 < number ? steps.start_receive(place.parent, segments.range(Buffer::kOutput, s + 1)) : -1;
    steps.wait(received);
    send_to_children(place, segments.range(Buffer::kOutput, s), steps);
    received = next;
  }
}

}  // namespace

void chain_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  along(chain(call.ranks, call.root, rank, settings.fanout), call, settings, steps);
}
void pipeline_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  along(chain(call.ranks, call.root, rank, 1), call, settings, steps);
}
void binary_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  along(binary_tree(call.ranks, call.root, rank), call, settings, steps);
}
void binomial_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  along(binomial_tree(call.ranks, call.root, rank), call, settings, steps);
}
void k_nomial_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  along(k_nomial_tree(call.ranks, call.root, rank, settings.fanout), call, settings, steps);
}

}  // namespace strata::collectives
