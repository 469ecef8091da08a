// SPDX-License-Identifier: LGPL-2.1-only
// Nonblocking reduction by Rabenseifner's algorithm: a reduce-scatter by vector halving, then a gather along a binomial
// tree, with the parts of halving.h. For 8 ranks and root 0, rank 2 has these rounds:
//
//   copies its data to the sum
//   sends an upper half to 3, receives a lower one from 3;  combines
//   sends a quarter to 0, receives one from 0;  combines
//   sends an eighth to 6, receives one from 6;  combines
//   receives an eighth from 6 (the gather)
//   sends a quarter to 0
//
// A root in place has no copy. The blocking form is in halving_reduce.cc, which starts a receive before the send.
// Source: red_sched_redscat_gather, nbc_ireduce.c, Open MPI 5.0.7.
#include "collectives/schedules/halving.h"
#include "collectives/schedules/libnbc.h"

namespace strata::collectives {
namespace {

void exchange(int partner, const Range& given, const Range& kept, Rounds& rounds) {
  const Range inbox = {Buffer::kFirst, kept.first, kept.count};
  rounds.send(partner, given);
  rounds.receive(partner, inbox);
  rounds.end_round();
  rounds.combine(inbox, kept);
  rounds.end_round();
}

// The ranks of a pair reduce a half each; the even one gets both.
void reduce_pair(const Collective& call, Buffer sum, int rank, Rounds& rounds) {
  const std::int64_t half = call.count / 2;
  const Range lower = {sum, 0, half}, upper = {sum, half, call.count - half};
  if (rank % 2 == 0) {
    exchange(rank + 1, upper, lower, rounds);
    rounds.receive(rank + 1, upper);
  } else {
    exchange(rank - 1, lower, upper, rounds);
    rounds.send(rank - 1, upper);
  }
  rounds.end_round();
}

}  // namespace

Rounds libnbc_halving_reduce(const Collective& call, int rank) {
  Halving h = halving_of(call);
  const bool is_root = rank == call.root;
  const Buffer sum = is_root ? Buffer::kOutput : Buffer::kSecond;
  Rounds rounds;
  if (!is_root || !call.in_place) {
    rounds.copy({Buffer::kInput, 0, call.count}, {sum, 0, call.count});
    rounds.end_round();
  }
  if (h.is_in_pair(rank)) reduce_pair(call, sum, rank, rounds);
  if (h.takes_part(rank)) {
    h.number = h.number_of(rank);
    h.rounds = halving_rounds(h, call.count, sum, h.number);
    int bit = 1;
    for (const auto& [kept, given] : h.rounds) {
      exchange(h.rank(h.number ^ bit), given, kept, rounds);
      bit *= 2;
    }
  }
  for (const auto& [sends, peer, part] : gather_of_halves(call, h, sum, rank)) {
    if (sends) {
      rounds.send(peer, part);
    } else {
      rounds.receive(peer, part);
      rounds.end_round();
    }
  }
  return rounds;
}

}  // namespace strata::collectives
