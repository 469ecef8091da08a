// SPDX-License-Identifier: LGPL-2.1-only
// Sizes separated by x: "16x8" is {16, 8}.
#pragma once

#include <charconv>
#include <string_view>
#include <vector>

namespace strata {

/// Nothing if `text` is anything but whole numbers of at least `least`, separated by x.
inline std::vector<int> parse_dims(std::string_view text, int least = 1) {
  std::vector<int> dims;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data();; ++at) {
    int number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < least || (next != end && *next != 'x')) return {};
    dims.push_back(number);
    if (next == end) return dims;
    at = next;
  }
}

}  // namespace strata
