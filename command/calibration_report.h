// SPDX-License-Identifier: LGPL-2.1-only
// The output of strata calibrate: tables, and a document (schemas/calibrate.schema.json).
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "calibration/calibrate.h"
#include "calibration/held_out.h"
#include "calibration/loop.h"

namespace strata::command {

struct CalibrationReport {
  calibration::Calibration calibration;
  std::vector<calibration::Measurement> simulated = {};  // by the probe on the calibrated machine; empty: not simulated
  std::vector<calibration::LoopFigure> loop = {};
  std::vector<calibration::Predicted> predicted = {};
  std::vector<std::string> notes = {};
};

std::string text_of(const CalibrationReport& report);
Json to_json(const CalibrationReport& report);

}  // namespace strata::command
