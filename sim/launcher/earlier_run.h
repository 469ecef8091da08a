// SPDX-License-Identifier: LGPL-2.1-only
// Reads the state of an earlier run from a results folder, and decides whether this run may continue it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "records/record.h"
#include "sim/launcher/placements.h"
#include "sim/launcher/run.h"

namespace strata::sim {

struct EarlierRun {
  std::set<int> done = {};           // points
  std::vector<Record> records = {};  // of these points
  std::string start = {};            // start time of the run that is continued
  std::optional<double> reference = {};
  std::optional<ShardContent> shard = {};
  std::map<std::string, std::string> versions = {};
};

/// Inspects `options.out`. Throws InputError if it contains a run that this one must not touch.
EarlierRun look_into(const Manifest& ours, const Placements& placements, const RunOptions& options);

/// Refuses to continue a shard that was begun with another program or version. Throws InputError.
void require_same_software(const EarlierRun& earlier, const Manifest& ours, const RunOptions& options);

}  // namespace strata::sim
