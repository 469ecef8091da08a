// Text in an SVG: what must be written otherwise, and how wide it is.
#pragma once

#include <string>

namespace strata {

/// The advance of a character in sizes of the font: as in DejaVu Sans Mono, and about the same in other monospace
/// fonts.
inline constexpr double kMonospaceAdvance = 0.602;

/// `text` as an element's content or an attribute's value.
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
