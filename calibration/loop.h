// SPDX-License-Identifier: LGPL-2.1-only
// Checks a calibration: the probe runs in simulation on the calibrated machine, and the results are compared with the
// measured figures.
//
//   level    figure     measured  95 % interval  simulated  within
//   Package  latency    0.61 us   0.60 to 0.62   0.61       yes
//
// Each figure is computed from the simulated samples as from the measured ones: the line of a piece from the sizes of
// that piece, the median of overheads, the rate at which k pairs or cores saturate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/calibrate.h"
#include "calibration/measured_number.h"

namespace strata::calibration {

struct LoopFigure {
  CalibratedFigure measured;
  double simulated = 0;        // in the unit of measured.figure.si
  std::optional<bool> within;  // the interval; none if that is unknown

  double ratio() const { return simulated / measured.figure.si; }
};

/// How far outside its interval a simulated figure may lie, relative. Both the figure and the simulation have four
/// digits.
inline constexpr double kLoopTolerance = 0.001;
/// The same for links. The time of a window of messages includes the latency of the first message and of the answer, so
/// a link is measured as slightly too slow, and again when it is simulated.
inline constexpr double kLinkTolerance = 0.01;

/// The measured figures that the simulated samples determine, in the order of the calibration.
std::vector<LoopFigure> close_loop(const Calibration& calibration, const std::vector<Measurement>& simulated);

}  // namespace strata::calibration
