// SPDX-License-Identifier: LGPL-2.1-only
// The guarantees of calibration/measured_number.h, for the readers' targets.
#pragma once

#include <cmath>
#include <stdexcept>

#include "calibration/measured_number.h"

namespace strata::fuzz {

/// Throws std::logic_error, a finding, if a reading violates a guarantee.
inline void check(const calibration::Reading& reading) {
  if (reading.measurements.empty()) throw std::logic_error("a reading without measurements");
  for (const calibration::Measurement& m : reading.measurements) {
    const bool is_right =
        std::isfinite(m.value) && m.value > 0 && std::isfinite(m.bytes) && m.bytes >= 0 && m.at_once > 0;
    if (!is_right || m.source.empty()) throw std::logic_error("a measurement that is not one: " + m.source);
  }
}

}  // namespace strata::fuzz
