// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
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
  std::vector<int> row(b.size() + 1);  // distances from the first letters of a to the first 0, 1, ... letters of b
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int above_left = std::exchange(row[0], static_cast<int>(i) + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = above_left + (a[i] == b[j] ? 0 : 1);
      above_left = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
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
