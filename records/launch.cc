// SPDX-License-Identifier: LGPL-2.1-only
#include "records/launch.h"

#include "base/time_text.h"

namespace strata {

bool is_for_launcher(const std::string& parameter) {
  return parameter == kRanksAxis || parameter == kProgressAxis || parameter == kAllocationAxis ||
         parameter == kMapByAxis || parameter == kShimAxis || parameter == kMpiAxis || parameter == kMpiRulesAxis;
}

std::optional<Traffic> traffic_of(const std::string& text) {
  const std::string word = text == "false" ? "off" : text == "true" ? "on" : text;  // YAML's booleans
  if (const std::optional<TrafficWord> known = find_word(kTrafficWords, word))
    return Traffic{.kept = *known != TrafficWord::kOff, .messages = *known == TrafficWord::kMessages};
  const std::optional<double> period_s = time_in(text);
  if (!period_s || *period_s == 0) return std::nullopt;
  return Traffic{.kept = true, .period_s = *period_s};
}

}  // namespace strata
