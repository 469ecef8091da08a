// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/parameters_text.h"

#include <nlohmann/json.hpp>

namespace strata::sim {

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string describe(const Json& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters.items()) text += (text.empty() ? "" : " ") + name + "=" + text_of(value);
  return text.empty() ? "(no parameters)" : text;
}

}  // namespace strata::sim
