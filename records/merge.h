// SPDX-License-Identifier: LGPL-2.1-only
// Merges the shards of a run into the folder that the unsharded run would write. All bytes are the same, except start
// and end times in the manifest, and seconds.csv.
//
//   merge_shards(load_shards({"part1", "part2", "part3"}), "whole");
//
// Records are streamed: memory grows by a few bytes for each point, not with the size of records.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>

#include "records/shards.h"

namespace strata {

/// Returns the number of records. The folder appears complete or not at all: until then it is `out`.merging. `progress`
/// is called with the number of points so far, and may throw. Throws InputError if `out` exists and is not empty, or if
/// a shard lacks a file, which it names. Throws OutputError.
std::size_t merge_shards(
    const ShardSet& set, const std::filesystem::path& out,
    const std::function<void(std::size_t points)>& progress = [](std::size_t) {});

}  // namespace strata
