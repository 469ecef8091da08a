// SPDX-License-Identifier: LGPL-2.1-only
// Finds files that have measured the same and disagree.
#pragma once

#include <string>
#include <vector>

#include "calibration/measured_number.h"

namespace strata::calibration {

/// Two files contradict each other if the ratio of their medians is larger than this, which is more than benchmarks
/// vary from run to run.
inline constexpr double kContradiction = 1.5;

/// Compares the medians of every two files for the same operation, level, bytes and number at once. Returns a line for
/// every two files that contradict each other, with both values where they differ most.
std::vector<std::string> contradictions(const std::vector<Measurement>& measurements);

}  // namespace strata::calibration
