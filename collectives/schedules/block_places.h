// SPDX-License-Identifier: LGPL-2.1-only
// Where the block of each rank begins in a vector of all blocks: equally long ones, or as long as the call says. For
// example, blocks of 2, 0 and 3 elements: at 0, 2 and 2, and the end at 5.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "collectives/schedules/collective.h"

namespace strata::collectives {

class BlockPlaces {
 public:
  explicit BlockPlaces(const Collective& call) : ranks_(call.ranks), count_(call.count) {
    if (call.counts.empty()) return;
    begins_.resize(call.counts.size() + 1);
    std::partial_sum(call.counts.begin(), call.counts.end(), begins_.begin() + 1);
  }

  /// `rank`: up to the number of ranks, where the vector ends.
  std::int64_t begin(std::int64_t rank) const { return begins_.empty() ? rank * count_ : begins_[rank]; }
  std::int64_t total() const { return begin(ranks_); }
  Range between(Buffer in, std::int64_t first, std::int64_t end) const {
    return {in, begin(first), begin(end) - begin(first)};
  }

 private:
  int ranks_;
  std::int64_t count_;
  std::vector<std::int64_t> begins_;  // empty: equal blocks
};

}  // namespace strata::collectives
