// SPDX-License-Identifier: LGPL-2.1-only
// Reduce-scatter by recursive halving: two ranks at distance p / 2, then p / 4, ... exchange the halves of what they
// still have, and combine what they keep. For 8 ranks:
//
//   0 <-> 4, 1 <-> 5, ...   four blocks each
//   0 <-> 2, 1 <-> 3, ...   two
//   0 <-> 1, 2 <-> 3, ...   one
//
// If the number of ranks is not a power of two: pairs, as rank_blocks.h says; the even rank gets its block at the end.
// Cost: log2 p messages one after the other, m (p - 1) / p bytes sent and combined by each rank, for operations that
// are commutative. With others MPI_Reduce_scatter_block reduces to rank 0 and scatters. Source:
// ompi_coll_base_reduce_scatter_intra_basic_recursivehalving, coll_base_reduce_scatter.c, and
// ompi_coll_base_reduce_scatter_block_intra_recursivehalving, coll_base_reduce_scatter_block.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/rank_blocks.h"

namespace strata::collectives {
namespace {

constexpr Buffer kSum = Buffer::kFirst, kInbox = Buffer::kSecond;

void halve(const RankBlocks& blocks, int number, Steps& steps) {
  int first = 0, end = blocks.power();  // numbers whose blocks this one still has
  for (int half = blocks.power() / 2; half > 0; half /= 2) {
    const int other = number ^ half, middle = first + half;
    const bool keeps_lower = number < other;
    const auto kept = [&](Buffer in) {
      return keeps_lower ? blocks.of_numbers(in, first, middle) : blocks.of_numbers(in, middle, end);
    };
    const Range given = keeps_lower ? blocks.of_numbers(kSum, middle, end) : blocks.of_numbers(kSum, first, middle);
    const int partner = blocks.rank(other);
    const int request = kept(kInbox).count > 0 ? steps.start_receive(partner, kept(kInbox)) : -1;
    if (given.count > 0) steps.send(partner, given);
    steps.wait(request);
    steps.combine(kept(kInbox), kept(kSum));
    if (keeps_lower) {
      end = middle;
    } else {
      first = middle;
    }
  }
}

}  // namespace

void halving_reduce_scatter(const Collective& call, const Settings&, int rank, Steps& steps) {
  const RankBlocks blocks(call);
  if (blocks.total() == 0) return;
  steps.copy(blocks.all(call.in_place ? Buffer::kOutput : Buffer::kInput), blocks.all(kSum));
  reduce_pairs(blocks, rank, kSum, kInbox, steps);
  const Range own = blocks.block(kSum, rank), result = {Buffer::kOutput, 0, own.count};
  const int number = blocks.number(rank);
  if (number < 0) {
    if (own.count > 0) steps.receive(rank + 1, result);
    return;
  }
  halve(blocks, number, steps);
  steps.copy(own, result);
  if (!blocks.is_in_pair(rank)) return;
  const Range of_other = blocks.block(kSum, rank - 1);
  if (of_other.count > 0) steps.send(rank - 1, of_other);
}

void halving_reduce_scatter_block(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (call.count == 0) return;
  if (!call.commutative) return reduce_scatter_in_two(call, settings, rank, steps);
  halving_reduce_scatter(call, settings, rank, steps);
}

}  // namespace strata::collectives
