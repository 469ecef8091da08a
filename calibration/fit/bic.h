// SPDX-License-Identifier: LGPL-2.1-only
// The Bayesian information criterion: of several fits of the same points, choose the one with the smallest value
// (Schwarz, "Estimating the dimension of a model", Ann. Statist. 6, 1978).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace strata::calibration {

/// `loss`: the sum of squared relative residuals of n points, or of another loss. `least_noise`: the relative standard
/// deviation below which differences are not significant; it keeps the criterion finite if a fit is exact.
inline double bic(double loss, std::size_t n, int parameters, double least_noise) {
  const auto count = static_cast<double>(n);
  return count * std::log(std::max(loss / count, least_noise * least_noise)) + parameters * std::log(count);
}

}  // namespace strata::calibration
