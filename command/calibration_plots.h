// SPDX-License-Identifier: LGPL-2.1-only
// Pictures of a calibration: for each level its measured times with the fitted lines, and how far the times lie from
// these; the times on the simulated machine; predictions.
#pragma once

#include <string>
#include <vector>

#include "analysis/chart.h"
#include "calibration/calibrate.h"
#include "calibration/held_out.h"

namespace strata::command {

/// "System-Cluster": a level's name in a file's name.
std::string file_part(const std::string& level);

/// fit-LEVEL: times over sizes, both axes logarithmic, so messages of 0 B are left out.
analysis::Chart fit_chart(const calibration::LevelCurve& curve);
/// residuals-LEVEL: (measured - fitted) / measured, in percent.
analysis::Chart residuals_chart(const calibration::LevelCurve& curve);
/// loop-LEVEL: the measured ping-pongs, and those among the `simulated` measurements; both axes logarithmic.
analysis::Chart loop_chart(const calibration::LevelCurve& curve,
                           const std::vector<calibration::Measurement>& simulated);
/// predicted-OPERATION-RANKS[-LEVEL]: measured and predicted times over sizes, both axes logarithmic.
analysis::Chart prediction_chart(const calibration::Predicted& predicted);

}  // namespace strata::command
