// SPDX-License-Identifier: LGPL-2.1-only
// The measurements of a simulation: lines that the program prints for Strata, numbers in its normal output, and the
// simulated time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "records/study.h"
#include "sim/launcher/simulation.h"

namespace strata::sim {

struct Measured {
  std::vector<Json> lines;  // {"metric":NAME,"value":NUMBER,"unit":UNIT}, as programs print them
  std::string failure;      // empty, or one line about a pattern that is not found
};

/// The measurements of a successful simulation. Those printed after words::kMark come first, in the program's order;
/// then the metrics with a pattern and the simulated time, in the order of `metrics`.
Measured measured(const std::vector<Metric>& metrics, const Outcome& outcome);

/// Whether one of the program's lines measures the metric.
bool prints(const std::vector<Json>& lines, const std::string& metric);

/// The number of lines that measured() returns for a program with this output.
size_t count_measured(const std::vector<Metric>& metrics, std::string_view output);

/// The rests of lines that begin with words::kMark.
std::vector<std::string> marked_lines(std::string_view output);

}  // namespace strata::sim
