// SPDX-License-Identifier: LGPL-2.1-only
// Which shards to submit, and when to stop: a shard that failed is submitted again, at most `retries` times in a row
// without a new point. One that keeps reaching its time limit therefore goes on as long as it advances.
//
// Strata's exit codes 2 (bad input) and 3 (a simulation failed) would come again: such a shard is given up at once.
#pragma once

#include <cstddef>
#include <vector>

#include "campaign/shard_state.h"

namespace strata::campaign {

class Attempts {
 public:
  /// A shard that leaves the queue without a word of its job counts as failed after `patience` looks: a shared file
  /// system may show its files later than the queue shows its end.
  Attempts(int shards, int retries, int patience);

  /// Those to submit now, which counts as done; sorted. Each call is a look.
  std::vector<int> due(const std::vector<ShardStatus>& shards);

  /// Whether a shard will not be submitted again, as it has failed.
  bool given_up(int shard) const { return of_[static_cast<std::size_t>(shard - 1)].given_up; }

 private:
  struct OfShard {
    int tries = 0;  // since its last new point
    int done = 0;   // points, when it was submitted
    int unseen = 0;
    bool submitted = false, given_up = false;
  };
  bool is_due(const ShardStatus& shard, OfShard& of) const;

  std::vector<OfShard> of_;
  int retries_, patience_;
};

}  // namespace strata::campaign
