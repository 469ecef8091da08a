// SPDX-License-Identifier: LGPL-2.1-only
// 95 % intervals by the bootstrap: draw new samples from the measured ones and fit them, 1,000 times, and drop the
// lowest and highest 2.5 % of the results (Efron, "Bootstrap methods", Ann. Statist. 7, 1979: percentiles).
//
// If an x has several samples, the same number of samples is drawn from them with replacement, and their median is
// fitted. If an x has a single sample, its new sample is the fitted value times a randomly drawn residual (measured /
// fitted) of any x. Residuals of a fit are smaller than the errors behind them, so their logarithms are stretched by
// sqrt(n / (n - parameters)) (Davison and Hinkley, "Bootstrap Methods and their Application", 1997, 6.2.3).
//
// The seed is fixed, so the same samples give the same intervals.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "calibration/fit/sample.h"

namespace strata::calibration {

struct Interval {
  double low = 0, high = 0;
  double half_width() const { return (high - low) / 2; }
};

inline constexpr int kBootstrapRounds = 1000;

struct BootstrapOf {
  std::function<double(double)> fitted;  // y at x; must be positive
  int parameters = 1;                    // of the fit
  /// Computes the figures from samples, always the same number; none if the samples allow no fit.
  std::function<std::optional<std::vector<double>>(std::span<const Sample>)> figures;
};

/// An interval for each figure. Empty if the samples do not determine intervals: there is one sample of each x and at
/// most as many as the fit has parameters, or more than half of the rounds allowed no fit.
std::vector<Interval> bootstrap(std::span<const Sample> samples, const BootstrapOf& of, int rounds = kBootstrapRounds);

/// The interval of the median of values; none for fewer than two values.
std::optional<Interval> interval_of_median(std::span<const double> values, int rounds = kBootstrapRounds);

}  // namespace strata::calibration
