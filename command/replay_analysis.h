// SPDX-License-Identifier: LGPL-2.1-only
// Slack and sensitivities of a replay, as text and as JSON (schemas/replay.schema.json), and the progress of an
// analysis.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/json.h"
#include "replay/sensitivity.h"
#include "replay/slack.h"

namespace strata::command {

/// To be called after each of an analysis's `all` replays. Shows on stderr how far it is, as long as it exists.
std::function<void(std::size_t all)> progress_of(const std::string& what);

/// Several lines, each with a line feed.
std::string slack_text(const replay::SlackSummary& slack);
std::string sensitivity_text(const std::vector<replay::Sensitivity>& all, double simulated_time);

Json slack_json(const replay::SlackSummary& slack);
Json sensitivity_json(const std::vector<replay::Sensitivity>& all);

}  // namespace strata::command
