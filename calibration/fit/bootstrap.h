// SPDX-License-Identifier: LGPL-2.1-only
// Intervals of 95 % by the bootstrap: fit samples that are drawn again from those that were measured, 1,000 times, and
// leave out the 2.5 % lowest and highest results (Efron, "Bootstrap methods", Ann. Statist. 7, 1979: percentiles).
//
// Where an x has several samples, as many are drawn from them, with replacement, and their median is fitted.
// An x with one sample gets what was fitted there times a residual of any x, measured over fitted. Residuals of a fit
// are smaller than the errors that made them; their logarithms are stretched by sqrt(n / (n - parameters)) for that
// (Davison and Hinkley, "Bootstrap Methods and their Application", 1997, 6.2.3).
//
// The same samples give the same intervals: the seed is fixed.
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
  std::function<double(double)> fitted;  // y at x, positive
  int parameters = 1;                    // of the fit
  /// The figures from samples, always as many; none where these samples allow no fit.
  std::function<std::optional<std::vector<double>>(std::span<const Sample>)> figures;
};

/// An interval for each figure. None where the samples do not determine it: one of each x, and at most as many as the
/// fit has parameters; or where more than half of the rounds allowed no fit.
std::vector<Interval> bootstrap(std::span<const Sample> samples, const BootstrapOf& of, int rounds = kBootstrapRounds);

/// The interval of the median of values; none of fewer than two.
std::optional<Interval> interval_of_median(std::span<const double> values, int rounds = kBootstrapRounds);

}  // namespace strata::calibration
