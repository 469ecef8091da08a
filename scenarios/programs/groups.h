// SPDX-License-Identifier: LGPL-2.1-only
// A hierarchy on the command line: the number of parts on each level, outermost first.
#pragma once

#include <charconv>
#include <string>
#include <vector>

namespace strata::programs {

/// Parses "3x4x2" as {3, 4, 2}. Nothing if `text` is not a list of positive whole numbers, separated by x.
inline std::vector<int> parse_groups(const std::string& text) {
  std::vector<int> groups;
  const char* at = text.data();
  const char* end = at + text.size();
  for (;;) {
    int number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 1) return {};
    groups.push_back(number);
    if (next == end) return groups;
    if (*next != 'x') return {};
    at = next + 1;
  }
}

}  // namespace strata::programs
