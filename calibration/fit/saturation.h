// SPDX-License-Identifier: LGPL-2.1-only
// The total rate of k pairs (or cores): k times the rate of one, until something that they share saturates: min(k b,
// C).
//
//   pairs   1   2   4   8            b = 5 GB/s for one pair
//   GB/s    5  10  20  25     gives  C = 25 GB/s for the link that they share
//
// Residuals are relative and use Huber's loss, as in segmented.h. The knee lies between two measured k, or at one of
// them. For each possible place, the best b and C are fitted, and the place with the smallest loss is chosen. If k b
// alone describes the rates equally well (BIC), they have not reached C.
#pragma once

#include <span>

#include "calibration/fit/sample.h"

namespace strata::calibration {

struct Saturation {
  double one;      // b: the rate of one
  double all;      // C; if not reached, the fitted rate of the largest k, which is a lower bound of C
  bool saturated;  // whether C was reached
  double most;     // the largest k
};

/// Fits rates (y) by number at once k (x, 1 or more). If a k has several samples, their median is fitted. Throws
/// std::invalid_argument if there are no samples, or one is not positive.
Saturation fit_saturation(std::span<const Sample> samples);

/// min(k b, C), or k b if C was not reached.
double rate_of(const Saturation& saturation, double k);

}  // namespace strata::calibration
