// SPDX-License-Identifier: LGPL-2.1-only
// The steps of ranks as a counter-example's drawing.
#pragma once

#include <string>
#include <vector>

#include "check/engine/counter_example.h"

namespace strata::check {

/// A line a step as text; under `title` a column a rank and a line a step as a picture.
Drawing draw_steps(const std::string& title, const std::vector<RankStep>& steps);

}  // namespace strata::check
