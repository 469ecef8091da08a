// SPDX-License-Identifier: LGPL-2.1-only
// Puts the shards of a run together: the folder that the unsharded run makes, byte for byte, apart from what tells the
// time (start and end in the manifest, seconds.csv).
//
//   merge_shards(load_shards({"part1", "part2", "part3"}), "whole");
//
// Records are streamed: memory does not grow with what a record holds, only by some bytes a point.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>

#include "records/shards.h"

namespace strata {

/// Returns how many records there are. The folder appears whole or not at all: it grows in `out`.merging. `progress` is
/// called with the number of points so far, and may throw. Throws InputError where `out` exists and is not empty or a
/// shard lacks a file, naming it; OutputError.
std::size_t merge_shards(
    const ShardSet& set, const std::filesystem::path& out,
    const std::function<void(std::size_t points)>& progress = [](std::size_t) {});

}  // namespace strata
