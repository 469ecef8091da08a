// SPDX-License-Identifier: LGPL-2.1-only
// Plots of a calibration: for each level its measured times with the fitted lines, the residuals, and the times on the
// simulated machine; for each held-out operation the predicted times.
#pragma once

#include <string>
#include <vector>

#include "analysis/chart.h"
#include "calibration/calibrate.h"
#include "calibration/held_out.h"

namespace strata::command {

/// A level's name for use in a file name: "System-Cluster".
std::string file_part(const std::string& level);

/// fit-LEVEL: times by size. Both axes are logarithmic, so messages of 0 B are left out.
analysis::Chart fit_chart(const calibration::LevelCurve& curve);
/// residuals-LEVEL: (measured - fitted) / measured, in percent.
analysis::Chart residuals_chart(const calibration::LevelCurve& curve);
/// loop-LEVEL: the measured ping-pongs, and those in `simulated`; both axes logarithmic.
analysis::Chart loop_chart(const calibration::LevelCurve& curve,
                           const std::vector<calibration::Measurement>& simulated);
/// predicted-OPERATION-RANKS[-LEVEL]: measured and predicted times by size; both axes logarithmic.
analysis::Chart prediction_chart(const calibration::Predicted& predicted);

}  // namespace strata::command
