// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/format.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace strata::analysis {

std::string value_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string parameters_text(const Json& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters.items()) {
    text += (text.empty() ? "" : ", ") + name + " = " + value_text(value);
  }
  return text;
}

std::string label_text(const Json& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters.items()) {
    text += (text.empty() ? "" : ", ") + (value.is_string() ? "" : name + " ") + value_text(value);
  }
  return text;
}

std::string rank_ranges(const Json& list) {
  std::string text;
  for (size_t i = 0; i < list.size();) {
    size_t j = i;
    while (j + 1 < list.size() && list[j + 1].get<int>() == list[j].get<int>() + 1) ++j;
    text += fmt::format("{}{}", text.empty() ? "" : ",", list[i].get<int>());
    if (j > i) text += fmt::format("-{}", list[j].get<int>());
    i = j + 1;
  }
  return text;
}

}  // namespace strata::analysis
