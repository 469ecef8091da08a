// SPDX-License-Identifier: LGPL-2.1-only
// Reduction along a tree, in segments. A rank receives the same segment from all its children, the next receive always
// posted before it combines the one before, and sends the sum to its parent. Along a binomial tree of 8 ranks:
//
//          0
//       1  2  4        rank 6 receives from 7, rank 4 from 5, then 6
//         3  5 6       rank 0 from 1, then 2, then 4
//              7
//
// If the order of operands does not matter, a rank receives the first child's data where the result will be, and
// combines its own into them; otherwise it copies its own there first.
// A leaf sends its segments one after the other, or, with a limit of k requests and more segments, k at a time, each
// complete only when it is received.
// Cost: as a broadcast along the tree, and m bytes combined for each child. Source: ompi_coll_base_reduce_generic,
// coll_base_reduce.c, Open MPI 4.1.4. Its binomial tree is the in-order one.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/tree_places.h"
#include "collectives/schedules/vector_parts.h"

namespace strata::collectives {
namespace {

struct Reduce {
  const Collective& call;
  const Settings& settings;
  Segments segments;
  Buffer result = Buffer::kOutput;  // of the root
  Buffer input = Buffer::kInput;

  Reduce(const Collective& c, const Settings& s) : call(c), settings(s), segments(c, s) {}

  void leaf(const Place& place, Steps& steps) const {
    const int number = segments.number(), limit = settings.requests;
    if (limit <= 0 || number <= limit) {
      for (int s = 0; s < number; ++s) steps.send(place.parent, segments.range(input, s));
      return;
    }
    std::vector<int> sends(limit);
    for (int s = 0; s < number; ++s) {
      if (s >= limit) steps.wait(sends[s % limit]);
      sends[s % limit] = steps.start_synchronous_send(place.parent, segments.range(input, s));
    }
    for (const int request : sends) steps.wait(request);
  }

  void inner(const Place& place, Steps& steps) const {
    const Buffer sum = place.parent < 0 ? result : Buffer::kFirst;
    const bool own_in_sum = call.in_place && place.parent < 0, first_into_sum = call.commutative && !own_in_sum;
    if (!call.commutative && !own_in_sum) steps.copy({input, 0, call.count}, {sum, 0, call.count});
    const int number = segments.number(), children = static_cast<int>(place.children.size());
    // Where segment `s` of child `i` arrives, whose receive is the k-th of this rank.
    const auto arrives = [&](int s, int i, int k) {
      if (i == 0 && first_into_sum) return segments.range(sum, s);
      return Range{k % 2 == 0 ? Buffer::kSecond : Buffer::kThird, 0, segments.range(sum, s).count};
    };
    int last = -1, last_segment = 0, last_child = 0, k = 0;
    const auto finish = [&] {
      if (last < 0) return;
      steps.wait(last);
      const Range into = segments.range(sum, last_segment);
      const bool in_sum = last_child == 0 && first_into_sum;
      steps.combine(in_sum ? segments.range(input, last_segment) : arrives(last_segment, last_child, k - 1), into);
      if (last_child + 1 == children && place.parent >= 0) steps.send(place.parent, into);
    };
    for (int s = 0; s < number; ++s) {
      for (int i = 0; i < children; ++i) {
        const int request = steps.start_receive(place.children[i], arrives(s, i, k));
        finish();
        last = request, last_segment = s, last_child = i;
        ++k;
      }
    }
    finish();
  }

  void along(const Place& place, Steps& steps) const {
    place.children.empty() ? leaf(place, steps) : inner(place, steps);
  }
};

}  // namespace

void chain_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  Reduce(call, settings).along(chain(call.ranks, call.root, rank, settings.fanout), steps);
}
void pipeline_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  Reduce(call, settings).along(chain(call.ranks, call.root, rank, 1), steps);
}
void binary_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  Reduce(call, settings).along(binary_tree(call.ranks, call.root, rank), steps);
}
void binomial_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  Reduce(call, settings).along(in_order_binomial_tree(call.ranks, call.root, rank), steps);
}

// Its tree ends at the last rank, which sends the result to the root.
void in_order_binary_reduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const int last = call.ranks - 1;
  const Place place = in_order_binary_tree(call.ranks, rank);
  if (last == call.root) return Reduce(call, settings).along(place, steps);
  Collective to_last = call;
  to_last.in_place = false;
  Reduce reduce(to_last, settings);
  reduce.result = Buffer::kFirst;
  const Range all = {Buffer::kOutput, 0, call.count};
  if (rank == call.root && call.in_place) {
    reduce.input = Buffer::kFourth;
    steps.copy(all, {reduce.input, 0, call.count});
  }
  reduce.along(place, steps);
  if (rank == last) steps.send(call.root, {reduce.result, 0, call.count});
  if (rank == call.root) steps.receive(last, all);
}

}  // namespace strata::collectives
