// SPDX-License-Identifier: LGPL-2.1-only
// The rate of k pairs (or cores) together: k times that of one, until something that they share is full: min(k b, C).
//
//   pairs   1   2   4   8            b = 5 GB/s of one pair
//   GB/s    5  10  20  25     gives  C = 25 GB/s of the link that they share
//
// Residuals are relative and count by Huber's loss, as those of segmented.h. The knee lies between two measured k, or
// at one: for each place the best b and C are found alone, and the place of least loss is taken. Rates that are
// described as well by k b alone (BIC) have not reached C.
#pragma once

#include <span>

#include "calibration/fit/sample.h"

namespace strata::calibration {

struct Saturation {
  double one;      // b: what one gets
  double all;      // C; where it is not reached, what the most at once got: C is at least this
  bool saturated;  // C was reached
  double most;     // the largest k
};

/// The fit of rates (y) of k at once (x, 1 or more), of several samples of a k their median. Throws
/// std::invalid_argument without samples, or where one is not positive.
Saturation fit_saturation(std::span<const Sample> samples);

/// min(k b, C); k b where C was not reached.
double rate_of(const Saturation& saturation, double k);

}  // namespace strata::calibration
