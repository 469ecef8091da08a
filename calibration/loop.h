// SPDX-License-Identifier: LGPL-2.1-only
// The loop closed: what the probe measures on the calibrated machine, simulated, against the figures that were
// measured.
//
//   level    figure     measured  95 % interval  simulated  within
//   Package  latency    0.61 us   0.60 to 0.62   0.61       yes
//
// Each figure is computed from the simulated samples as from the measured ones: the line of a piece through the sizes
// of that piece, the median of overheads, what k pairs or cores saturate at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/calibrate.h"
#include "calibration/measurement.h"

namespace strata::calibration {

struct LoopFigure {
  CalibratedFigure measured;
  double simulated = 0;        // in the unit of measured.figure.si
  std::optional<bool> within;  // the interval; none where that is not known

  double ratio() const { return simulated / measured.figure.si; }
};

/// How far outside its interval a figure may come back, relative: it has four digits, and the simulation another four.
inline constexpr double kLoopTolerance = 0.001;
/// The same of links: the time of a window of messages has the latency of the first and of the answer in it, so a link
/// is measured a little too slow, and once more when it is simulated.
inline constexpr double kLinkTolerance = 0.01;

/// The measured figures that the simulated samples tell, in the order of the calibration.
std::vector<LoopFigure> close_loop(const Calibration& calibration, const std::vector<Measurement>& simulated);

}  // namespace strata::calibration
