// SPDX-License-Identifier: LGPL-2.1-only
// Shards of a run put together, with a progress line.
#pragma once

#include <cstddef>
#include <filesystem>

#include "records/shards.h"

namespace strata::command {

/// merge_shards, with progress on a terminal; Ctrl-C leaves nothing behind. Needs a SignalGuard in scope.
std::size_t merge_with_progress(const ShardSet& set, const std::filesystem::path& out);

}  // namespace strata::command
