// SPDX-License-Identifier: LGPL-2.1-only
// The samples behind a figure, and figures whose source cites these samples.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calibration/fit/bootstrap.h"
#include "calibration/fit/sample.h"
#include "calibration/fit/saturation.h"
#include "calibration/measured_number.h"
#include "platforms/figure.h"

namespace strata::calibration {

/// `value` rounded to `count` significant digits, without an exponent if possible: 123.4, 2 -> "120".
std::string digits(double value, int count);

/// "osu.txt" for the source "osu.txt:9".
std::string file_of(const Measurement& measurement);

/// "ping-pong", "copy", ...
const char* name_of(Operation operation);

/// Measurements of one kind.
using Evidence = std::vector<Measurement>;

Evidence select(const Evidence& from, const std::function<bool(const Measurement&)>& wanted);
Evidence select(const Evidence& from, Operation operation, const std::string& level);

/// "osu.txt", "a.txt and b.txt", or "a.txt and 3 more files", in the order of the evidence.
std::string files_of(const Evidence& evidence);

std::vector<Sample> by_bytes(const Evidence& evidence);
std::vector<Sample> by_number(const Evidence& evidence);  // x: number at once
std::vector<double> values_of(const Evidence& evidence);

/// Whether it is an exchange of two ranks at a known level with messages so short that overheads are most of its time
/// (fit/exchange.h).
bool shows_overheads(const Measurement& measurement);

/// A figure with four digits, because benchmarks are not more precise; a size is exact. Possible dimensions: "time" in
/// us, "bandwidth" in GB/s, "size" in B.
Figure make_figure(double si, const std::string& dimension, const std::string& source);

/// The source is "measured: osu.txt, 22 samples"; `plus_minus` has two digits.
Figure measured_figure(double si, const std::string& dimension, const Evidence& evidence,
                       const std::optional<Interval>& interval);

/// The rates of k pairs or cores at once, and the rate at which they saturate.
struct SaturationOf {
  Evidence evidence;
  Saturation fit;
  std::optional<Interval> one, all;
};

/// The rates for one message size, since only these are comparable: the size with the highest rate for the largest
/// number at once.
Evidence of_best_size(const Evidence& rates);

SaturationOf saturation_of(const Evidence& rates);

}  // namespace strata::calibration
