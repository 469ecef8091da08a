// SPDX-License-Identifier: LGPL-2.1-only
// The progress of a submission: as a line, as a table of shards, and as a strata.status/1 document.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "campaign/shard_state.h"

namespace strata::campaign {

struct Status {
  std::filesystem::path folder = {};
  Submission submission = {};
  std::vector<ShardStatus> shards = {};
  std::optional<double> left_s = {};  // seconds_left
};

/// "3 of 8 shards are done, 2 run, 2 wait, 1 failed"
std::string describe(const Counts& counts);

/// "about 5 min left"; empty if unknown.
std::string describe_left(const std::optional<double>& left_s);

/// Two lines for the whole submission, then one for each shard.
std::string status_table(const Status& status);

Json status_json(const Status& status);

}  // namespace strata::campaign
