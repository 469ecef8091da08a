// SPDX-License-Identifier: LGPL-2.1-only
#include "records/launch.h"

#include <charconv>
#include <cmath>

#include "base/units.h"

namespace strata {

bool is_for_launcher(const std::string& parameter) {
  return parameter == kRanksAxis || parameter == kProgressAxis || parameter == kAllocationAxis ||
         parameter == kMapByAxis || parameter == kShimAxis;
}

std::optional<Traffic> traffic_of(const std::string& text) {
  const std::string word = text == "false" ? "off" : text == "true" ? "on" : text;  // YAML's booleans
  if (const std::optional<TrafficWord> known = find_word(kTrafficWords, word))
    return Traffic{.kept = *known != TrafficWord::kOff, .messages = *known == TrafficWord::kMessages};
  double period = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, period);
  std::string unit(at, end);
  unit.erase(0, unit.find_first_not_of(' '));
  const double factor = unit_factor("time", unit);
  if (error != std::errc() || !std::isfinite(period) || period <= 0 || factor == 0) return std::nullopt;
  return Traffic{.kept = true, .period_s = period * factor};
}

}  // namespace strata
