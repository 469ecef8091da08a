// SPDX-License-Identifier: LGPL-2.1-only
// Where an axis begins and ends and which values it names: ours and not gnuplot's, so that every label carries its unit
// ("10 us" and, on the same axis, "1 ms") and is the same under every gnuplot.
#pragma once

#include <string>
#include <vector>

namespace strata::analysis {

struct Tick {
  double value = 0;
  bool major = true;
  std::string label;  // empty for minor ticks
};

struct AxisTicks {
  bool log = false;
  double from = 0, to = 1;
  std::vector<Tick> ticks;
};

/// Ticks for values from `low` to `high`, in `unit`. A logarithmic axis names the powers of ten; 1, 2 and 5 of each
/// where it has less than two and a half decades; a round step where that leaves fewer than three. `log` is honoured
/// only where `low` is positive: a zero has no place on such an axis. A linear one begins at 0 where that wastes little
/// and `zero` is set.
AxisTicks ticks_for(double low, double high, bool log, const std::string& unit, bool zero = true);

}  // namespace strata::analysis
