// SPDX-License-Identifier: LGPL-2.1-only
// Critical paths as text and as JSON: those of runs (schemas/exec.schema.json) and of replays
// (schemas/replay.schema.json). A replay's also has what is outside MPI, and on no message.
#pragma once

#include <cstddef>
#include <string>

#include "base/json.h"
#include "records/critical_path.h"

namespace strata::analysis {

/// Several lines, each with a line feed, with only the largest parts.
std::string run_path_text(const CriticalPath& path);
std::string replay_path_text(const CriticalPath& path);

/// All shares, but at most the `most_pieces` longest pieces of the path, and how many were left out.
Json run_path_json(const CriticalPath& path, std::size_t most_pieces);
Json replay_path_json(const CriticalPath& path, std::size_t most_pieces);

// --- parts of the texts ---

/// "12.5 %", or "-" of nothing.
std::string percent(double part, double whole);
/// The name of a level for people.
std::string level_name(const std::string& level);

}  // namespace strata::analysis
