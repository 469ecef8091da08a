// SPDX-License-Identifier: LGPL-2.1-only
// Samples for fits: y is the measured value, and x its condition. For example, times by message size, or rates by
// number of pairs or cores at once.
#pragma once

#include <span>
#include <vector>

namespace strata::calibration {

/// Two times that differ by more than this factor differ by more than noise.
inline constexpr double kClearly = 1.1;

struct Sample {
  double x = 0;  // not negative
  double y = 0;  // positive
};

/// The median of values: the mean of the two middle ones if their number is even. `values` must not be empty.
double median(std::vector<double> values);

/// One sample for each x, with the median of its values, by increasing x.
std::vector<Sample> medians(std::span<const Sample> samples);

/// The samples with at most `most` different x. If there are more, x is grouped into intervals of equal width in log x
/// (0 is its own group), and each group gets the median of its x. If y grows with x, the medians of x and y belong
/// together.
std::vector<Sample> grouped(std::span<const Sample> samples, int most);

}  // namespace strata::calibration
