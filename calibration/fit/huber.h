// SPDX-License-Identifier: LGPL-2.1-only
// Huber's loss: quadratic for residuals up to a bound and linear beyond, so that a single outlier does not tilt a fit
// (Huber, "Robust estimation of a location parameter", Ann. Math. Statist. 35, 1964). Minimised by iteratively
// reweighted least squares.
#pragma once

#include <cmath>

namespace strata::calibration {

/// The bound in standard deviations of the noise. It keeps 95 % of the efficiency of least squares for normal errors.
inline constexpr double kHuber = 1.345;
inline constexpr double kMedianOfNormal = 0.6745;  // median of |x| for normal x with standard deviation 1
inline constexpr int kMostIterations = 50;
inline constexpr double kConverged = 1e-7;  // relative change

/// Twice Huber's loss, which is r^2 for small residuals.
inline double huber_loss(double residual, double bound) {
  const double r = std::abs(residual);
  return r <= bound ? r * r : bound * (2 * r - bound);
}

/// The weight of a squared residual in the next least-squares iteration.
inline double huber_weight(double residual, double bound) {
  const double r = std::abs(residual);
  return r <= bound ? 1 : bound / r;
}

}  // namespace strata::calibration
