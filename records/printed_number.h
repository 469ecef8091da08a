// SPDX-License-Identifier: LGPL-2.1-only
// A number that a program prints, found by a regular expression: `FOM\s*=\s*(\S+)` takes 12.5 from "FOM = 12.5 z/s".
//
// The syntax is RE2's: Perl's, without look-around and back-references. A search takes linear time for any pattern and
// any output.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata {

/// The fault of a pattern, such as "missing ): FOM("; nothing if it can be used.
std::optional<std::string> pattern_fault(const std::string& pattern);

struct PrintedNumber {
  std::string text;             // group 1
  std::optional<double> value;  // what it is, if it is a finite number: 12.5, +3, 1e6, or Fortran's 1.25D+01
};

/// From the last line that matches; nothing where none does. `pattern` is one without a fault. A line matches where a
/// part of it does; bytes that are not UTF-8 do no harm.
std::optional<PrintedNumber> last_number(const std::string& pattern, std::string_view output);

}  // namespace strata
