// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace strata::analysis {

std::string markdown_text(const std::string& text) {
  constexpr std::string_view kSpecial = "\\`*_[]<>|#~&";
  std::string escaped;
  for (const char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c == '\n' || c == '\r' ? ' ' : c;
  }
  return escaped;
}

std::string markdown_code(const std::string& text) {
  size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<size_t>(3, longest + 1), '`');
  return fmt::format("{}\n{}\n{}\n", fence, text, fence);
}

std::string markdown_row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string markdown_head(const std::vector<std::string>& headings, const std::string& alignment) {
  std::vector<std::string> titles, rules;
  for (const std::string& heading : headings) titles.push_back(markdown_text(heading));
  for (const char side : alignment) rules.push_back(side == 'r' ? "---:" : "---");
  return markdown_row(titles) + markdown_row(rules);
}

}  // namespace strata::analysis
