// SPDX-License-Identifier: LGPL-2.1-only
// A figure: a number with its unit and its source. Both are mandatory. A measured one may also have an interval.
#pragma once

#include <string>

namespace strata {

/// A number as stated in its source.
struct Figure {
  double value = 0;    // in `unit`
  std::string unit;    // "us", "GB/s", ...
  std::string source;  // "measured[: how]", "published: where" or "assumed: why"
  double si = 0;       // in s, B/s, flop/s, B or copies
  /// Half of the width of its 95 % interval, in `unit`; 0: not known.
  double plus_minus = 0;
};

/// Whether a source begins with `measured`, `published: <where>` or `assumed: <why>`.
bool names_source(const std::string& source);

/// Whether this many cores may copy a message: 1 or 2 (see Machine::copies).
bool is_number_of_copies(double value);

}  // namespace strata
