// SPDX-License-Identifier: LGPL-2.1-only
#include "records/placeholders.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace strata {
namespace {

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

// The text with each name in braces replaced by value(name). A brace that does not begin a name is replaced by
// value("").
std::string replaced(const std::string& text, const std::function<std::string(const std::string& name)>& value) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t brace = std::min(text.find('{', at), text.size());
    result += text.substr(at, brace - at);
    at = brace;
    if (at == text.size()) break;
    const size_t end = text.find('}', at);
    const std::string name = end == std::string::npos ? "" : text.substr(at + 1, end - at - 1);
    if (text.compare(at, 2, "{{") == 0) {
      result += '{';
      at += 2;
    } else if (is_name(name)) {
      result += value(name);
      at = end + 1;
    } else {
      result += value("");
      ++at;
    }
  }
  return result;
}

}  // namespace

std::vector<std::string> names_in_braces(const std::string& text) {
  std::vector<std::string> names;
  replaced(text, [&](const std::string& name) {
    if (name.empty()) throw std::invalid_argument("a brace without the name of an axis");
    names.push_back(name);
    return "";
  });
  return names;
}

std::string with_values(const std::string& text, const Json& parameters) {
  return replaced(text, [&](const std::string& name) -> std::string {
    if (name.empty()) return "{";
    if (!parameters.contains(name)) return "{" + name + "}";
    const Json& value = parameters[name];
    return value.is_string() ? value.get<std::string>() : value.dump();
  });
}

}  // namespace strata
