// SPDX-License-Identifier: LGPL-2.1-only
// The blocks of the ranks in a vector that is reduced and scattered. If the number of ranks is not a power of two, some
// act for a pair (pairs.h): of 6 ranks, number 0 has the blocks of ranks 0 and 1, number 2 that of rank 4.
#pragma once

#include "collectives/schedules/block_places.h"
#include "collectives/schedules/pairs.h"

namespace strata::collectives {

class RankBlocks : public Pairs {
 public:
  explicit RankBlocks(const Collective& call) : Pairs{call.ranks}, places_(call) {}

  std::int64_t total() const { return places_.total(); }
  Range block(Buffer in, int rank) const { return places_.between(in, rank, rank + 1); }
  Range all(Buffer in) const { return places_.between(in, 0, ranks); }
  /// The blocks of numbers `first` to `end` - 1.
  Range of_numbers(Buffer in, int first, int end) const {
    return places_.between(in, first_rank(first), first_rank(end));
  }

 private:
  BlockPlaces places_;
};

/// The even rank of a pair sends its vector to the odd one, which combines both in `sum`.
inline void reduce_pairs(const RankBlocks& blocks, int rank, Buffer sum, Buffer inbox, Steps& steps) {
  if (!blocks.is_in_pair(rank)) return;
  if (rank % 2 == 0) return steps.send(rank + 1, blocks.all(sum));
  steps.receive(rank - 1, blocks.all(inbox));
  steps.combine(blocks.all(inbox), blocks.all(sum));
}

}  // namespace strata::collectives
