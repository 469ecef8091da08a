// SPDX-License-Identifier: LGPL-2.1-only
#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace strata {
namespace {

std::string without_dashes(const std::string& option) {
  return option.substr(std::min(option.find_first_not_of('-'), option.size()));
}

// 0: the path ends with the word. 1: a part begins with it. From 2 on: edits. Empty: too far away.
std::optional<int> distance_to(const std::string& given, const std::string& full_name) {
  const std::string word = without_dashes(given), name = without_dashes(full_name);
  if (name.ends_with("/" + word)) return 0;
  constexpr std::size_t kTellingLength = 3;
  if (word.size() >= kTellingLength && (name.starts_with(word) || name.find("/" + word) != std::string::npos)) return 1;
  const int allowed = word.size() < 5 ? 1 : 2;
  const int whole = edit_distance(word, name), last = edit_distance(word, name.substr(name.rfind('/') + 1));
  const int edits = std::min(whole, last);
  if (edits > allowed) return std::nullopt;
  return 1 + edits;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  // d(i, j): the distance of the first i letters of a and the first j letters of b, each plus one row and column for
  // "no exchange is possible".
  const std::size_t width = b.size() + 2;
  const int far = static_cast<int>(a.size() + b.size());
  std::vector<int> d((a.size() + 2) * width, far);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return d[(i + 1) * width + j + 1]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(j);
  std::map<char, std::size_t> last_row;  // by letter: the last place in a, from 1; 0: none yet
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t last_column = 0;  // the last place in b of the letter a[i - 1]
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t row = last_row[b[j - 1]], column = last_column;
      const bool same = a[i - 1] == b[j - 1];
      if (same) last_column = j;
      int best = std::min({at(i - 1, j - 1) + (same ? 0 : 1), at(i, j - 1) + 1, at(i - 1, j) + 1});
      if (row > 0 && column > 0) {
        const std::size_t between = (i - row - 1) + (j - column - 1);
        best = std::min(best, at(row - 1, column - 1) + static_cast<int>(between) + 1);
      }
      at(i, j) = best;
    }
    last_row[a[i - 1]] = i;
  }
  return at(a.size(), b.size());
}

std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& names) {
  std::vector<std::pair<int, std::string>> near;
  for (const std::string& name : names) {
    if (const std::optional<int> distance = distance_to(word, name)) near.emplace_back(*distance, name);
  }
  std::sort(near.begin(), near.end());
  constexpr std::size_t kMost = 3;
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < std::min(kMost, near.size()); ++i) nearest.push_back(near[i].second);
  return nearest;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const std::vector<std::string> near = nearest(word, names);
  if (near.empty()) return "";
  return fmt::format("did you mean {}?", fmt::join(near, " or "));
}

}  // namespace strata
