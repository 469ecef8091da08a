// SPDX-License-Identifier: LGPL-2.1-only
// Samples that fits take, by what they were measured over: times by the bytes of a message, rates by how many pairs or
// cores were at it at once.
#pragma once

#include <span>
#include <vector>

namespace strata::calibration {

struct Sample {
  double x = 0;  // not negative
  double y = 0;  // positive
};

/// The median of values; of an even number of them the mean of the two in the middle. `values` must not be empty.
double median(std::vector<double> values);

/// By increasing x one sample for each x, with the median of its values.
std::vector<Sample> medians(std::span<const Sample> samples);

/// The samples with at most `most` different x: unchanged if they have at most that; otherwise in groups of equal width
/// in log x (0 is one of its own), each with the median of its x. Where y grows with x the medians of x and y belong
/// together.
std::vector<Sample> grouped(std::span<const Sample> samples, int most);

}  // namespace strata::calibration
