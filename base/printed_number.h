// SPDX-License-Identifier: LGPL-2.1-only
// A number in a program's output, found by a regular expression: `FOM\s*=\s*(\S+)` finds 12.5 in "FOM = 12.5 z/s".
//
// The syntax is RE2's: Perl's, without look-around and back-references. A search takes linear time for any pattern and
// output.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata {

/// The fault of a pattern, such as "missing ): FOM("; no value if it is usable.
std::optional<std::string> pattern_fault(const std::string& pattern);

struct PrintedNumber {
  std::string text;             // group 1
  std::optional<double> value;  // its value, if it is a finite number: 12.5, +3, 1e6, or Fortran's 1.25D+01
};

/// From the last line that matches; no value if no line matches. `pattern` must be without fault. A line matches if a
/// part of it does. Bytes that are not UTF-8 are allowed.
std::optional<PrintedNumber> last_number(const std::string& pattern, std::string_view output);

}  // namespace strata
