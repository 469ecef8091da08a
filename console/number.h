// SPDX-License-Identifier: LGPL-2.1-only
// Numbers for people: significant digits and SI prefixes, "17.50 ms" for 0.0175 s. No locale. Full precision is for
// records and JSON documents.
#pragma once

#include <string>

namespace strata::console {

/// `value` rounded to `digits` significant digits, trailing zeros kept: 12.345, 4 -> "12.35"; 123456, 4 -> "123456"
/// (digits before the point are never rounded away). Below 1e-4 and from 1e9 with an exponent.
std::string significant(double value, int digits);

/// The shortest text for `value` with at most six significant digits: 21 -> "21", 0.5 -> "0.5".
std::string shortest(double value);

/// Where a value is shown in a multiple of its unit: value * factor, in `unit`.
struct Scale {
  double factor = 1;
  std::string unit;
};

/// A unit as people are shown it: nothing for "1", which records have for a plain number.
std::string shown_unit(const std::string& unit);

/// The SI multiple in which `value`, given in `unit`, has one to three digits before the point: 2e-6 s in "us", 4e9 B/s
/// in "GB/s". Units that take no prefix (a ratio, "", or one we do not know) stay as they are.
Scale scale_for(double value, const std::string& unit);

/// "12.35 us", "21.30" where `unit` is empty.
std::string with_unit(double value, const std::string& unit, int digits);

/// The text of a tick: "10 us", "500 kB", "10k" for a pure number.
std::string tick_text(double value, const std::string& unit);

}  // namespace strata::console
