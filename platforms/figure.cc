// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/figure.h"

namespace strata {

bool is_number_of_copies(double value) { return value == 1 || value == 2; }

bool names_source(const std::string& source) {
  const auto says = [&](const std::string& word, bool needs_text) {
    if (source.rfind(word, 0) != 0) return false;
    const std::string rest = source.substr(word.size());
    return rest.empty() ? !needs_text : rest[0] == ':' && rest.find_first_not_of(" :") != std::string::npos;
  };
  return says("measured", false) || says("published", true) || says("assumed", true);
}

}  // namespace strata
