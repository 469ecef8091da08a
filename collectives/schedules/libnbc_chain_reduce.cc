// SPDX-License-Identifier: LGPL-2.1-only
// Nonblocking reduction along a chain, in fragments of about 8 KiB. For 8 ranks and root 0:
//
//   7 -> 6 -> 5 -> 4 -> 3 -> 2 -> 1 -> 0
//
// A rank receives a fragment, combines it, and sends it on, each in a round of its own. The last rank sends one
// fragment a round. Another root changes places with rank 0. HAN comes to it for two nodes and 64 KiB.
//
// Source: red_sched_chain, nbc_ireduce.c, Open MPI 5.0.7.
#include "collectives/schedules/libnbc.h"

namespace strata::collectives {
namespace {

constexpr std::int64_t kFragment = 8192;  // B: segsize in nbc_reduce_init

}  // namespace

Rounds libnbc_chain_reduce(const Collective& call, int rank) {
  Rounds rounds;
  const std::int64_t bytes = call.count * call.element_bytes;
  if (bytes == 0) return rounds;
  const int place = libnbc_place(rank, call.root);
  const bool is_last = place == call.ranks - 1;
  const std::int64_t fragments = (bytes + kFragment - 1) / kFragment, elements = call.count / fragments;
  for (std::int64_t f = 0; f < fragments; ++f) {
    const std::int64_t first = f * elements, count = f + 1 < fragments ? elements : call.count - first;
    const auto fragment = [&](Buffer in) { return Range{in, first, count}; };
    if (!is_last) {
      // The right operand has the result.
      const Range arrived = fragment(place == 0 && !call.in_place ? Buffer::kOutput : Buffer::kFirst);
      rounds.receive(libnbc_place(place + 1, call.root), arrived);
      rounds.end_round();
      if (place == 0 && call.in_place) {
        rounds.combine(arrived, fragment(Buffer::kOutput));
      } else {
        rounds.combine(fragment(Buffer::kInput), arrived);
      }
      rounds.end_round();
    }
    if (place != 0) {
      rounds.send(libnbc_place(place - 1, call.root), fragment(is_last ? Buffer::kInput : Buffer::kFirst));
      rounds.end_round();
    }
  }
  return rounds;
}

}  // namespace strata::collectives
