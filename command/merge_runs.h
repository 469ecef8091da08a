// SPDX-License-Identifier: LGPL-2.1-only
// Merges the shards of a run, with a progress line.
#pragma once

#include <cstddef>
#include <filesystem>

#include "records/shards.h"

namespace strata::command {

/// Calls merge_shards with progress on a terminal. Ctrl-C leaves no partial result. Needs a SignalGuard in scope.
std::size_t merge_with_progress(const ShardSet& set, const std::filesystem::path& out);

}  // namespace strata::command
