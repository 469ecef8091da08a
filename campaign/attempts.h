// SPDX-License-Identifier: LGPL-2.1-only
// Decides which shards to submit, and when to stop. A failed shard is submitted again, at most `retries` times in a row
// without a new point. A shard that reaches its time limit several times therefore continues as long as it makes
// progress.
//
// Strata's exit codes 2 (bad input) and 3 (a simulation failed) would only repeat, so such a shard is given up at once.
#pragma once

#include <cstddef>
#include <vector>

#include "campaign/shard_state.h"

namespace strata::campaign {

class Attempts {
 public:
  /// A shard that has left the queue although its job reported no exit code counts as failed after `patience` calls of
  /// due(). The delay is needed because a shared file system may show the shard's files later than squeue shows its
  /// end.
  Attempts(int shards, int retries, int patience);

  /// The shards to submit now, sorted; they count as submitted. Each call is one look at the shards.
  std::vector<int> due(const std::vector<ShardStatus>& shards);

  /// Whether a shard has failed and will not be submitted again.
  bool given_up(int shard) const { return of_[shard - 1].given_up; }

 private:
  struct OfShard {
    int tries = 0;  // since its last new point
    int done = 0;   // number of points when it was submitted
    int unseen = 0;
    bool submitted = false, given_up = false;
  };
  bool is_due(const ShardStatus& shard, OfShard& of) const;

  std::vector<OfShard> of_;
  int retries_, patience_;
};

}  // namespace strata::campaign
