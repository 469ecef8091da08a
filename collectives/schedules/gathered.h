// SPDX-License-Identifier: LGPL-2.1-only
// The blocks of an allgather in the output: equally long, or with MPI_Allgatherv as long as the call says. A rank
// copies its own block to its place there before it sends it. For example, blocks of 2, 0 and 3 elements: the last one
// is at 2..4.
#pragma once

#include "collectives/schedules/block_places.h"

namespace strata::collectives {

class Gathered {
 public:
  explicit Gathered(const Collective& call) : call_(call), places_(call) {}

  std::int64_t total() const { return places_.total(); }
  Range blocks(std::int64_t first, std::int64_t number = 1) const {
    return places_.between(Buffer::kOutput, first, first + number);
  }
  /// The blocks of `number` ranks from `first` on, after the last rank from rank 0 on.
  Range cyclic(std::int64_t first, std::int64_t number) const {
    if (first + number <= call_.ranks) return blocks(first, number);
    const std::int64_t before = total() - places_.begin(first), after = places_.begin(first + number - call_.ranks);
    return {Buffer::kOutput, places_.begin(first), before + after, 0, 0, total()};
  }
  Range own(int rank) const { return call_.in_place ? blocks(rank) : Range{Buffer::kInput, 0, blocks(rank).count}; }
  void copy_own(int rank, Steps& steps) const {
    if (!call_.in_place) steps.copy(own(rank), blocks(rank));
  }

 private:
  const Collective& call_;
  BlockPlaces places_;
};

}  // namespace strata::collectives
