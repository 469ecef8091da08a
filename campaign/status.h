// SPDX-License-Identifier: LGPL-2.1-only
// How far a submission is: a line, a table of shards, and strata.status/1.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "campaign/shard_state.h"
#include "records/json.h"

namespace strata::campaign {

struct Status {
  std::filesystem::path folder = {};
  Submission submission = {};
  std::vector<ShardStatus> shards = {};
  std::optional<double> left_s = {};  // seconds_left
};

/// "3 of 8 shards are done, 2 run, 2 wait, 1 failed"
std::string describe(const Counts& counts);

/// "about 5 min left"; empty where it is not known.
std::string describe_left(const std::optional<double>& left_s);

/// Two lines for the whole, then one for each shard.
std::string status_table(const Status& status);

Json status_json(const Status& status);

}  // namespace strata::campaign
