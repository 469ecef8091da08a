// SPDX-License-Identifier: LGPL-2.1-only
// Chooses the ends of an axis and the values that are labelled. This is not left to gnuplot, so that each label has its
// own unit ("10 us" and "1 ms" on the same axis) and all versions of gnuplot give the same picture.
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

/// Ticks for values from `low` to `high`, in `unit`. A logarithmic axis labels the powers of ten; also 2 and 5 times
/// each if it is shorter than two and a half decades; or round steps if that gives fewer than three labels. `log` is
/// ignored unless `low` is positive. With `zero`, a linear axis begins at 0 if that wastes little of it.
AxisTicks ticks_for(double low, double high, bool log, const std::string& unit, bool zero = true);

}  // namespace strata::analysis
