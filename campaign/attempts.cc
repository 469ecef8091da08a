// SPDX-License-Identifier: LGPL-2.1-only
#include "campaign/attempts.h"

namespace strata::campaign {

Attempts::Attempts(int shards, int retries, int patience)
    : of_(static_cast<std::size_t>(shards)), retries_(retries), patience_(patience) {}

bool Attempts::is_due(const ShardStatus& shard, OfShard& of) const {
  if (shard.state != State::kMissing && shard.state != State::kFailed) {
    of.unseen = 0;
    return false;
  }
  if (of.given_up) return false;
  if (!of.submitted) return true;
  if (!shard.code && ++of.unseen < patience_) return false;
  if (shard.done > of.done) of.tries = 0;
  of.given_up = shard.code == 2 || shard.code == 3 || of.tries > retries_;
  return !of.given_up;
}

std::vector<int> Attempts::due(const std::vector<ShardStatus>& shards) {
  std::vector<int> numbers;
  for (const ShardStatus& shard : shards) {
    OfShard& of = of_[shard.number - 1];
    if (!is_due(shard, of)) continue;
    ++of.tries;
    of.done = shard.done;
    of.unseen = 0;
    of.submitted = true;
    numbers.push_back(shard.number);
  }
  return numbers;
}

}  // namespace strata::campaign
