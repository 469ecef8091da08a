// SPDX-License-Identifier: LGPL-2.1-only
// The critical path, slack and sensitivities of a replay, as text and as JSON (schemas/replay.schema.json).
#pragma once

#include <string>
#include <vector>

#include "records/json.h"
#include "replay/critical_path.h"
#include "replay/history.h"
#include "replay/sensitivity.h"
#include "replay/slack.h"

namespace strata::command {

/// Several lines, each with a line feed, with only the largest parts. `functions`: the trace's.
std::string path_text(const replay::CriticalPath& path, const std::vector<std::string>& functions);
std::string slack_text(const replay::SlackSummary& slack);
std::string sensitivity_text(const std::vector<replay::Sensitivity>& all, double simulated_time);

/// All parts, but at most the kMostPieces longest pieces of the path.
Json path_json(const replay::CriticalPath& path, const replay::History& history,
               const std::vector<std::string>& functions);
Json slack_json(const replay::SlackSummary& slack);
Json sensitivity_json(const std::vector<replay::Sensitivity>& all);
inline constexpr size_t kMostPieces = 10'000;

}  // namespace strata::command
