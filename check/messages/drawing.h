// SPDX-License-Identifier: LGPL-2.1-only
// Draws the steps of ranks for a counter-example.
#pragma once

#include <string>
#include <vector>

#include "check/engine/counter_example.h"

namespace strata::check {

/// The text has one line for each step. The picture, under `title`, has a column for each rank and a row for each step.
Drawing draw_steps(const std::string& title, const std::vector<RankStep>& steps);

}  // namespace strata::check
