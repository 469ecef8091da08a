// SPDX-License-Identifier: LGPL-2.1-only
// Gather along an in-order binomial tree, into the output of the root where possible: the root receives the blocks of a
// subtree at their places, also if they go on at rank 0. Only if blocks are shorter than 1 KiB, those come into a
// buffer first, and other ranks put their own block in front of those that they receive. For 8 ranks:
//
//   1 -> 0  3 -> 2  5 -> 4  7 -> 6    one block
//   2 -> 0  6 -> 4                    two
//   4 -> 0                            four
//
// A rank with longer blocks sends its own from the input and the others from the buffer, as one message. Here it copies
// its own to the buffer before it sends, which MPICH does when it packs the message.
// Cost: log2 p messages one after the other, (p - 1) m bytes to the root. Source: MPIR_Gather_intra_binomial,
// gather_intra_binomial.c, MPICH 4.0.2.
#include <algorithm>

#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/tree_places.h"

namespace strata::collectives {
namespace {

constexpr std::int64_t kShortBytes = 1024;  // B: MPIR_CVAR_GATHER_VSMALL_MSG_SIZE, gather_intra_binomial.c

void gather_at_root(const Collective& call, const Place& place, Steps& steps) {
  const int p = call.ranks;
  const std::int64_t m = call.count;
  const auto blocks = [&](std::int64_t first, std::int64_t number) {
    return Range{Buffer::kOutput, first * m, number * m};
  };
  if (!call.in_place) steps.copy({Buffer::kInput, 0, m}, blocks(call.root, 1));
  int later = 0, before = 0;  // blocks in the buffer, those that belong before rank 0, and those from it on
  for (const int child : place.children) {
    const int distance = (child - call.root + p) % p, number = std::min(distance, p - distance);
    if (child + number <= p) {
      steps.receive(child, blocks(child, number));
      continue;
    }
    if (m * call.element_bytes < kShortBytes) {
      before = p - child;
      later = number - before;
      steps.receive(child, {Buffer::kFirst, 0, number * m});
    } else {
      Range around = blocks(child, number);
      around.wrap = p * m;
      steps.receive(child, around);
    }
  }
  steps.copy({Buffer::kFirst, 0, before * m}, blocks(p - before, before));
  steps.copy({Buffer::kFirst, before * m, later * m}, blocks(0, later));
}

}  // namespace

void in_place_binomial_gather(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Place place = in_order_binomial_tree(call.ranks, call.root, rank);
  if (rank == call.root) return gather_at_root(call, place, steps);
  const std::int64_t m = call.count;
  const Range own = {Buffer::kInput, 0, m};
  const bool is_short = m * call.element_bytes < kShortBytes;
  if (place.children.empty() && !is_short) return steps.send(place.parent, own);
  if (is_short) steps.copy(own, {Buffer::kFirst, 0, m});
  const int v = (rank - call.root + call.ranks) % call.ranks;
  std::int64_t blocks = 1;
  for (const int child : place.children) {
    const int c = (child - call.root + call.ranks) % call.ranks;
    const std::int64_t theirs = std::min(c - v, call.ranks - c);
    steps.receive(child, {Buffer::kFirst, blocks * m, theirs * m});
    blocks += theirs;
  }
  if (!is_short) steps.copy(own, {Buffer::kFirst, 0, m});
  steps.send(place.parent, {Buffer::kFirst, 0, blocks * m});
}

}  // namespace strata::collectives
