// SPDX-License-Identifier: LGPL-2.1-only
#include "base/line_text.h"

#include <algorithm>
#include <cstddef>

namespace strata {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr std::size_t kMostShown = 60;  // characters

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::string printable(std::string_view text) {
  std::string result(text.substr(0, kMostShown));
  for (char& c : result) {
    if (c < ' ' || c > '~') c = c == '\t' ? ' ' : '.';
  }
  return result + (text.size() > kMostShown ? "..." : "");
}

std::string shown(std::string_view text) { return "'" + printable(text) + "'"; }

}  // namespace strata
