// SPDX-License-Identifier: LGPL-2.1-only
// The samples behind a figure, and the figure with the source that says so.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calibration/fit/bootstrap.h"
#include "calibration/fit/sample.h"
#include "calibration/fit/saturation.h"
#include "calibration/measurement.h"
#include "platforms/figure.h"

namespace strata::calibration {

/// A number with `count` digits, without an exponent where it fits: 123.4, 2 -> "120".
std::string digits(double value, int count);

/// "osu.txt" of the source "osu.txt:9".
std::string file_of(const Measurement& measurement);

/// "ping-pong", "copy", ...
const char* name_of(Operation operation);

/// Measurements of one kind.
using Evidence = std::vector<Measurement>;

Evidence select(const Evidence& from, const std::function<bool(const Measurement&)>& wanted);
Evidence select(const Evidence& from, Operation operation, const std::string& level);

/// "osu.txt"; "a.txt and b.txt"; "a.txt and 3 more files". In the order of the evidence.
std::string files_of(const Evidence& evidence);

std::vector<Sample> by_bytes(const Evidence& evidence);
std::vector<Sample> by_number(const Evidence& evidence);  // at once
std::vector<double> values_of(const Evidence& evidence);

/// The dimensions that a calibration knows: "time" in us, "bandwidth" in GB/s, "size" in B.
/// A figure of four digits (a size is exact), for benchmarks do not measure more.
Figure make_figure(double si, const std::string& dimension, const std::string& source);

/// "measured: osu.txt, 22 samples, +- 0.03 us"; without an interval no last part.
Figure measured_figure(double si, const std::string& dimension, const Evidence& evidence,
                       const std::optional<Interval>& interval);

/// The rates of k pairs or cores at once, and where they saturate.
struct SaturationOf {
  Evidence evidence;
  Saturation fit;
  std::optional<Interval> one, all;
};

/// Those of the size of messages at which the most at once got most: only rates of one size can be compared.
Evidence of_best_size(const Evidence& rates);

SaturationOf saturation_of(const Evidence& rates);

}  // namespace strata::calibration
