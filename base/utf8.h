// SPDX-License-Identifier: LGPL-2.1-only
// Checks that outside text is UTF-8, as JSON documents, drawings and terminals require.
#pragma once

#include <utf8.h>

#include <cstddef>
#include <string_view>

namespace strata {

/// The position of the first character that is not valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing
/// beyond U+10FFFF); npos if all is valid.
inline size_t first_not_utf8(std::string_view text) {
  const auto* const bad = utf8::find_invalid(text.data(), text.data() + text.size());
  return bad == text.data() + text.size() ? std::string_view::npos : static_cast<size_t>(bad - text.data());
}

inline bool is_utf8(std::string_view text) { return utf8::is_valid(text.data(), text.data() + text.size()); }

}  // namespace strata
