// SPDX-License-Identifier: LGPL-2.1-only
#include "console/style.h"

#include <fmt/color.h>

#include <algorithm>
#include <cctype>

#include "console/terminal.h"

namespace strata::console {
namespace {

fmt::text_style look_of(Style style) {
  switch (style) {
    case Style::kHeading:
      return fmt::emphasis::bold;
    case Style::kGood:
      return fmt::fg(fmt::terminal_color::green);
    case Style::kBad:
      return fmt::fg(fmt::terminal_color::red);
    case Style::kHint:
      break;
  }
  return fmt::emphasis::faint;
}

// Whether `text` begins with these whole words.
bool begins_with(std::string_view text, std::string_view words) {
  return text.starts_with(words) &&
         (text.size() == words.size() || std::isalnum(static_cast<unsigned char>(text[words.size()])) == 0);
}

}  // namespace

std::string styled(Style style, const std::string& text, std::FILE* to) {
  if (text.empty() || !shows_colours(::fileno(to))) return text;
  return fmt::format(look_of(style), "{}", text);
}

std::string styled_lines(const std::string& text, const std::vector<Mark>& marks, std::FILE* to) {
  if (!shows_colours(::fileno(to))) return text;
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t words = std::min(text.find_first_not_of(' ', begin), end);
    const std::string rest = text.substr(words, end - words);
    const auto mark = std::ranges::find_if(marks, [&](const Mark& m) { return begins_with(rest, m.begin); });
    result.append(text, begin, words - begin);
    if (mark == marks.end()) {
      result += rest;
    } else {
      const bool whole = mark->style == Style::kHeading || mark->style == Style::kHint;
      const std::size_t length = whole ? rest.size() : mark->begin.size();
      result += styled(mark->style, rest.substr(0, length), to) + rest.substr(length);
    }
    if (end < text.size()) result += '\n';
    begin = end + 1;
  }
  return result;
}

}  // namespace strata::console
