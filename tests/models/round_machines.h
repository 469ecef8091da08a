// SPDX-License-Identifier: LGPL-2.1-only
// Machines with figures that a test chooses, so that expected values are round numbers.
#pragma once

#include <string>

#include "platforms/machine.h"

namespace strata::models {

/// Microseconds and GB/s: 1 us times 1 GB/s is 1000 B.
struct TestCosts {
  double latency_us = 1;
  double overhead_us = 0.25;
  double bandwidth_gbs = 1;
  double link_gbs = 1000;  // far more than any test needs
};

/// The tree of `line` (see parse_tree) with the same costs at every level, a copy_bandwidth of 2 GB/s and an eager
/// limit of 1000 B.
Machine uniform_machine(const std::string& line, const TestCosts& costs = {});

/// Changes the figures of one level. Ends the program if the level does not exist.
void set_costs(Machine& machine, const std::string& level, const TestCosts& costs);
LevelCosts& level_of(Machine& machine, const std::string& level);

Figure microseconds(double value);
Figure gigabytes_per_s(double value);
Segment segment(double from_bytes, const TestCosts& costs);

}  // namespace strata::models
