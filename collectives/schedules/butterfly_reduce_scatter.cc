// SPDX-License-Identifier: LGPL-2.1-only
// Reduce-scatter by recursive halving with distances that double, so that operands keep the order of ranks: the block
// of a rank ends up at the rank whose number has the bits in reverse, which sends it there. For 8 ranks:
//
//   0 <-> 1, 2 <-> 3, ...   four blocks each
//   0 <-> 2, 1 <-> 3, ...   two
//   0 <-> 4, 1 <-> 5, ...   one
//   1 <-> 4, 3 <-> 6        the blocks that belong to the other
//
// MPI_Reduce_scatter_block on a power of two of ranks puts the blocks in reversed order first, and needs no last
// exchange. Other numbers of ranks: pairs, as rank_blocks.h says.
// Cost: log2 p + 1 messages one after the other, m (p - 1) / p bytes combined by each rank. Source:
// ompi_coll_base_reduce_scatter_intra_butterfly, coll_base_reduce_scatter.c, and
// ompi_coll_base_reduce_scatter_block_intra_butterfly, coll_base_reduce_scatter_block.c, Open MPI 4.1.4; J. L. Träff,
// An Improved Algorithm for (Non-commutative) Reduce-Scatter with an Application, EuroPVM/MPI 2005.
#include <utility>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/rank_blocks.h"

namespace strata::collectives {
namespace {

int reversed(int number, int power) {
  int result = 0;
  for (int bit = 1; bit < power; bit *= 2) result = 2 * result + ((number & bit) != 0 ? 1 : 0);
  return result;
}

// Numbers whose blocks a rank has.
struct Numbers {
  int first, end;
};

// Returns where the sum of the blocks that the number has at the end is.
std::pair<Buffer, Numbers> halve(const RankBlocks& blocks, int number, Steps& steps) {
  Buffer sum = Buffer::kFirst, inbox = Buffer::kSecond;
  Numbers mine = {0, blocks.power()};
  for (int bit = 1; bit < blocks.power(); bit *= 2) {
    const int other = number ^ bit, partner = blocks.rank(other), middle = (mine.first + mine.end) / 2;
    const Numbers lower = {mine.first, middle}, upper = {middle, mine.end};
    const bool keeps_lower = number < other;
    const Numbers kept = keeps_lower ? lower : upper, given = keeps_lower ? upper : lower;
    const auto in = [&](Buffer buffer) { return blocks.of_numbers(buffer, kept.first, kept.end); };
    steps.send_receive(partner, blocks.of_numbers(sum, given.first, given.end), partner, in(inbox));
    if (keeps_lower) {
      steps.combine(in(sum), in(inbox));
      std::swap(sum, inbox);
    } else {
      steps.combine(in(inbox), in(sum));
    }
    mine = kept;
  }
  return {sum, mine};
}

}  // namespace

void butterfly_reduce_scatter(const Collective& call, const Settings&, int rank, Steps& steps) {
  const RankBlocks blocks(call);
  steps.copy(blocks.all(call.in_place ? Buffer::kOutput : Buffer::kInput), blocks.all(Buffer::kFirst));
  reduce_pairs(blocks, rank, Buffer::kFirst, Buffer::kSecond, steps);
  const Range result = {Buffer::kOutput, 0, blocks.block(Buffer::kOutput, rank).count};
  const int number = blocks.number(rank);
  if (number < 0) return steps.receive(blocks.rank(reversed((rank + 1) / 2, blocks.power())), result);
  const auto [sum, mine] = halve(blocks, number, steps);
  const int owner = reversed(number, blocks.power()), to = blocks.rank(owner);
  const bool of_pair = owner < blocks.number_of_pairs();
  if (of_pair) steps.send(to - 1, blocks.block(sum, blocks.first_rank(mine.first)));
  const Range last = blocks.block(sum, blocks.first_rank(mine.first) + (of_pair ? 1 : 0));
  if (owner != number) return steps.send_receive(to, last, to, result);
  steps.copy(last, result);
}

void butterfly_reduce_scatter_block(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (call.count == 0) return;
  const RankBlocks blocks(call);
  if (blocks.number_of_pairs() != 0) return butterfly_reduce_scatter(call, settings, rank, steps);
  const Buffer input = call.in_place ? Buffer::kOutput : Buffer::kInput;
  for (int r = 0; r < call.ranks; ++r) {
    steps.copy(blocks.block(input, r), blocks.block(Buffer::kFirst, reversed(r, call.ranks)));
  }
  const auto [sum, mine] = halve(blocks, rank, steps);
  steps.copy(blocks.block(sum, mine.first), {Buffer::kOutput, 0, call.count});
}

void mirrored_reduce_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  Collective of_equal_blocks = call;
  if (!call.counts.empty()) of_equal_blocks.count = call.counts[0];
  of_equal_blocks.counts.clear();
  butterfly_reduce_scatter_block(of_equal_blocks, settings, rank, steps);
}

}  // namespace strata::collectives
