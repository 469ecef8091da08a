// SPDX-License-Identifier: LGPL-2.1-only
#include "command/print.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace strata::command {

void print(const std::string& text, const std::vector<console::Mark>& marks) {
  std::fputs(styled_lines(text, marks).c_str(), stdout);
}

std::string line_of(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void print(const Json& document) { std::fputs(line_of(document).c_str(), stdout); }

}  // namespace strata::command
