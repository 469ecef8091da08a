// SPDX-License-Identifier: LGPL-2.1-only
// Common parts of drawings: the page, escaped text, and the width of a text.
#pragma once

#include <fmt/format.h>

#include <string>

namespace strata {

/// The width of a character relative to the font size: that of DejaVu Sans Mono, and about the same in other monospace
/// fonts.
inline constexpr double kMonospaceAdvance = 0.602;

/// An SVG file of `width` by `height` px with text in a monospace font of `font_size`, and `body` on white.
inline std::string svg_page(double width, double height, double font_size, const std::string& body) {
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
             "font-family=\"DejaVu Sans Mono, monospace\" font-size=\"{2}\">\n"
             "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
             width, height, font_size) +
         body + "</svg>\n";
}

/// Escapes `text` for an element's content or an attribute's value.
inline std::string svg_escape(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace strata
