// SPDX-License-Identifier: LGPL-2.1-only
// Files that measured the same and do not agree.
#pragma once

#include <string>
#include <vector>

#include "calibration/measurement.h"

namespace strata::calibration {

/// The ratio of medians above which two files contradict each other: more than benchmarks vary from run to run.
inline constexpr double kContradiction = 1.5;

/// A line for each two files whose medians of the same operation, level, bytes and number at once are further apart
/// than that, with both values where they are furthest apart.
std::vector<std::string> contradictions(const std::vector<Measurement>& measurements);

}  // namespace strata::calibration
