// SPDX-License-Identifier: LGPL-2.1-only
// Checks that outside text is UTF-8, as JSON documents, drawings and terminals require.
#pragma once

#include <cstddef>
#include <string_view>

namespace strata {

/// The position of the first byte that is not valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing beyond
/// U+10FFFF); npos if all is valid.
constexpr size_t first_not_utf8(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i), second = byte(i + 1);
    const size_t length = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : 4;
    if (length == 4 && (lead < 0xF0 || lead > 0xF4)) return i;
    for (size_t k = 1; k < length; ++k) {
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    }
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool no_character = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
    if (length > 2 && (overlong || no_character)) return i;
    i += length;
  }
  return std::string_view::npos;
}

constexpr bool is_utf8(std::string_view text) { return first_not_utf8(text) == std::string_view::npos; }

}  // namespace strata
