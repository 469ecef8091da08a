// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast of each half of the vector through one half of a binary tree, in segments; then ranks of the two halves
// exchange what they lack. For 7 ranks:
//
//        0
//      1   2       ranks 1, 3, 5 get the first half of the vector, ranks 2, 4, 6 the second
//     3 5 4 6      then 1 <-> 2, 3 <-> 4, 5 <-> 6
//
// With an even number of ranks the last one has no partner among them, and gets its half from the root. A vector with a
// half shorter than a segment takes the pipeline instead.
// Cost: every rank but the root sends each byte of a half twice and then once. Source:
// ompi_coll_base_bcast_intra_split_bintree, coll_base_bcast.c, Open MPI 4.1.4.
#include <algorithm>
#include <array>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/tree_places.h"

namespace strata::collectives {
namespace {

struct Half {
  std::int64_t first, count, segment;

  int segments() const { return static_cast<int>((count + segment - 1) / segment); }
  Range range(int s) const { return {Buffer::kOutput, first + s * segment, std::min(segment, count - s * segment)}; }
  Range all() const { return {Buffer::kOutput, first, count}; }
};

}  // namespace

void split_binary_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const std::int64_t counts[2] = {call.count - call.count / 2, call.count / 2};
  const std::int64_t bytes = settings.segment_bytes <= 0 ? 0 : std::max(settings.segment_bytes, call.element_bytes);
  for (const std::int64_t count : counts) {
    if (count == 0 || bytes > count * call.element_bytes) {
      return pipeline_broadcast(call, {.segment_bytes = bytes}, rank, steps);
    }
  }
  const auto segment = [&](std::int64_t count) { return bytes == 0 ? count : bytes / call.element_bytes; };
  const std::array<Half, 2> halves = {Half{0, counts[0], segment(counts[0])},
                                      Half{counts[0], counts[1], segment(counts[1])}};
  const Place place = binary_tree(call.ranks, call.root, rank);
  const int number = (rank + call.ranks - call.root) % call.ranks;
  const int own = (number + 1) % 2, other = 1 - own;
  if (rank == call.root) {
    for (int s = 0; s < halves[0].segments(); ++s) {
      for (std::size_t i = 0; i < place.children.size(); ++i) {
        if (s < halves[i].segments()) steps.send(place.children[i], halves[i].range(s));
      }
    }
  } else if (place.children.empty()) {
    for (int s = 0; s < halves[own].segments(); ++s) steps.receive(place.parent, halves[own].range(s));
  } else {
    int received = steps.start_receive(place.parent, halves[own].range(0));
    for (int s = 0; s < halves[own].segments(); ++s) {
      const int next =
          s + 1 < halves[own].segments() ? steps.start_receive(place.parent, halves[own].range(s + 1)) : -1;
      steps.wait(received);
      for (const int child : place.children) steps.send(child, halves[own].range(s));
      received = next;
    }
  }
  const int last = (call.root + call.ranks - 1) % call.ranks;
  const bool even = call.ranks % 2 == 0;
  if (even && rank == call.root) return steps.send(last, halves[1].all());
  if (even && rank == last) return steps.receive(call.root, halves[1].all());
  if (rank == call.root) return;
  const int partner = own == 0 ? (rank + 1) % call.ranks : (rank + call.ranks - 1) % call.ranks;
  steps.send_receive(partner, halves[own].all(), partner, halves[other].all());
}

}  // namespace strata::collectives
