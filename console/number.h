// SPDX-License-Identifier: LGPL-2.1-only
// Formats numbers for people, with significant digits and SI prefixes: "17.50 ms" for 0.0175 s. Ignores the locale.
// Records and JSON documents have full precision instead.
#pragma once

#include <string>

namespace strata::console {

/// `value` rounded to `digits` significant digits, with trailing zeros: 12.345, 4 -> "12.35"; 123456, 4 -> "123456"
/// (digits before the point are never rounded away). Values below 1e-4 and from 1e9 on have an exponent.
std::string significant(double value, int digits);

/// The shortest text for `value` with at most six significant digits: 21 -> "21", 0.5 -> "0.5".
std::string shortest(double value);

/// A multiple of a unit in which a value is shown: value * factor, in `unit`.
struct Scale {
  double factor = 1;
  std::string unit;
};

/// The unit as printed: empty for "1", which records use for plain numbers.
std::string shown_unit(const std::string& unit);

/// The SI multiple in which `value`, given in `unit`, has one to three digits before the point: "us" for 2e-6 s, "GB/s"
/// for 4e9 B/s. Units without a prefix (a ratio, "", or an unknown unit) are unchanged.
Scale scale_for(double value, const std::string& unit);

/// "12.35 us", or "21.30" if `unit` is empty.
std::string with_unit(double value, const std::string& unit, int digits);

/// "730.74 to 730.90 us": both in the same multiple of the unit, with two digits of their difference; "5.00 us" if they
/// are equal, except for rounding. low <= high.
std::string range_text(double low, double high, const std::string& unit);

/// The label of an axis tick: "10 us", "500 kB", "10k" for a plain number.
std::string tick_text(double value, const std::string& unit);

}  // namespace strata::console
