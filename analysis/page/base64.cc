// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/base64.h"

#include <cstdint>

namespace strata::analysis {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (int i = 3; i >= 0; --i) text += kDigits[three >> (6 * i) & 63];
    if (at + 2 >= bytes.size()) text[text.size() - 1] = '=';
    if (at + 1 >= bytes.size()) text[text.size() - 2] = '=';
  }
  return text;
}

}  // namespace strata::analysis
