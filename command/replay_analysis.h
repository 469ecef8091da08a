// SPDX-License-Identifier: LGPL-2.1-only
// Slack and sensitivities of a replay, as text and as JSON (schemas/replay.schema.json).
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "replay/sensitivity.h"
#include "replay/slack.h"

namespace strata::command {

/// Several lines, each with a line feed.
std::string slack_text(const replay::SlackSummary& slack);
std::string sensitivity_text(const std::vector<replay::Sensitivity>& all, double simulated_time);

Json slack_json(const replay::SlackSummary& slack);
Json sensitivity_json(const std::vector<replay::Sensitivity>& all);

}  // namespace strata::command
