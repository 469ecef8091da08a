// SPDX-License-Identifier: LGPL-2.1-only
// The folders of all shards of one run: `strata run SCENARIO --shard 1/3 --out part1`, 2/3 into part2, 3/3 into part3.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "records/record.h"

namespace strata {

struct ShardFolder {
  std::filesystem::path folder;
  Manifest manifest;  // without its study, which is the same for the whole run

  const ShardContent& content() const { return *manifest.shard; }
  /// The command line that runs the shard again, or resumes it: "strata run SCENARIO --shard 3/8 --resume --out DIR".
  std::string command(bool resume) const;
};

struct ShardSet {
  std::vector<ShardFolder> shards;  // all shards of a run, by number
  std::vector<int> shard_of;        // by point: index of its shard
  Manifest whole;                   // the manifest of an unsharded run: from the earliest start to the latest end
  /// By point: the checksum of its records (checksums.h), if its shard has checksums.
  std::vector<std::optional<std::uint64_t>> checksums;
  std::vector<std::filesystem::path> unchecked;  // folders of shards that have none
};

/// Reads the manifests. Throws InputError, in one line with the command that helps, if a shard is missing, duplicate or
/// unfinished; if it belongs to a different scenario, machine, program, version or reference value; or if points are
/// missing or in two shards.
ShardSet load_shards(const std::vector<std::filesystem::path>& folders);

}  // namespace strata
