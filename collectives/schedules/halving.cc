// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/schedules/halving.h"

#include <bit>
#include <utility>

#include "collectives/schedules/vector_parts.h"

namespace strata::collectives {

Halving halving_of(const Collective& call) {
  const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(call.ranks)));
  return {.power = power, .extra = call.ranks - power};
}

std::vector<Halving::Round> halving_rounds(const Halving& h, std::int64_t count, Buffer sum, int number) {
  const Blocks blocks{count, h.power};
  std::vector<Halving::Round> rounds;
  int first = 0;  // block of the part
  Range mine = {sum, 0, count};
  for (int bit = 1; bit < h.power; bit *= 2) {
    const int middle = first + h.power / (2 * bit);
    const std::int64_t half =
        h.parts == Halving::Parts::kHalves ? mine.count / 2 : blocks.first(middle) - blocks.first(first);
    const Range lower = {sum, mine.first, half}, upper = {sum, mine.first + half, mine.count - half};
    const bool keeps_lower = (number & bit) == 0;
    rounds.push_back(keeps_lower ? Halving::Round{lower, upper} : Halving::Round{upper, lower});
    mine = rounds.back().kept;
    if (!keeps_lower) first = middle;
  }
  return rounds;
}

namespace {

// The ranks of a pair reduce a half each; the even one gets both.
void reduce_pair_by_halves(const Collective& call, Buffer sum, int rank, Steps& steps) {
  const std::int64_t half = call.count / 2;
  const auto lower = [&](Buffer in) { return Range{in, 0, half}; };
  const auto upper = [&](Buffer in) { return Range{in, half, call.count - half}; };
  if (rank % 2 == 0) {
    steps.send_receive(rank + 1, upper(sum), rank + 1, lower(Buffer::kFirst));
    steps.combine(lower(Buffer::kFirst), lower(sum));
    steps.receive(rank + 1, upper(sum));
  } else {
    steps.send_receive(rank - 1, lower(sum), rank - 1, upper(Buffer::kFirst));
    steps.combine(upper(Buffer::kFirst), upper(sum));
    steps.send(rank - 1, upper(sum));
  }
}

void halve(const Collective& call, Halving& h, Buffer sum, int rank, Steps& steps) {
  h.number = h.number_of(rank);
  h.rounds = halving_rounds(h, call.count, sum, h.number);
  int bit = 1;
  for (const auto& [kept, given] : h.rounds) {
    const int partner = h.rank(h.number ^ bit);
    const Range inbox = {Buffer::kFirst, kept.first, kept.count};
    steps.send_receive(partner, given, partner, inbox);
    steps.combine(inbox, kept);
    bit *= 2;
  }
}

}  // namespace

Halving reduce_by_halving(const Collective& call, Buffer sum, int rank, Steps& steps) {
  Halving h = halving_of(call);
  if (h.is_in_pair(rank)) reduce_pair_by_halves(call, sum, rank, steps);
  if (h.takes_part(rank)) halve(call, h, sum, rank, steps);
  return h;
}

Halving reduce_by_halving_blocks(const Collective& call, Buffer sum, bool is_odd, int rank, Steps& steps) {
  Halving h = halving_of(call);
  h.is_odd = is_odd;
  h.parts = Halving::Parts::kBlocks;
  const Range all = {sum, 0, call.count}, inbox = {Buffer::kFirst, 0, call.count};
  if (!h.takes_part(rank)) {
    steps.send(rank ^ 1, all);
    return h;
  }
  if (h.is_in_pair(rank)) {
    steps.receive(rank ^ 1, inbox);
    steps.combine(inbox, all);
  }
  halve(call, h, sum, rank, steps);
  return h;
}

void allgather_halves(const Halving& h, Steps& steps) {
  if (h.number < 0) return;
  int round = static_cast<int>(h.rounds.size()) - 1;
  for (int bit = h.power / 2; bit > 0; bit /= 2, --round) {
    const int partner = h.rank(h.number ^ bit);
    steps.send_receive(partner, h.rounds[round].kept, partner, h.rounds[round].given);
  }
}

std::vector<HalfTransfer> gather_of_halves(const Collective& call, Halving h, Buffer sum, int rank) {
  std::vector<HalfTransfer> transfers;
  const bool root_is_extra = !h.takes_part(call.root);
  if (root_is_extra && rank == call.root) {
    h.rounds = halving_rounds(h, call.count, sum, 0);
    transfers.push_back({false, 0, h.rounds.back().kept});
    h.number = 0;
  } else if (root_is_extra && h.number == 0) {
    return {{true, call.root, h.rounds.back().kept}};
  }
  if (h.number < 0) return transfers;
  const int root = root_is_extra ? 0 : h.number_of(call.root);
  int round = static_cast<int>(h.rounds.size()) - 1;
  for (int bit = h.power / 2; bit > 0; bit /= 2, --round) {
    const int partner = h.number ^ bit;
    const int peer = partner == 0 && root_is_extra ? call.root : h.rank(partner);
    // The half of the numbers where the root is receives.
    const bool sends = partner >> round == root >> round;
    transfers.push_back({sends, peer, sends ? h.rounds[round].kept : h.rounds[round].given});
    if (sends) break;
  }
  return transfers;
}

void gather_halves(const Collective& call, Halving h, Buffer sum, int rank, Steps& steps) {
  for (const auto& [sends, peer, part] : gather_of_halves(call, std::move(h), sum, rank)) {
    sends ? steps.send(peer, part) : steps.receive(peer, part);
  }
}

}  // namespace strata::collectives
