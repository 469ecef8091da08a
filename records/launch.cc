#include "records/launch.h"

#include <charconv>
#include <cmath>

#include "platforms/units.h"

namespace strata {

bool is_for_launcher(const std::string& parameter) {
  return parameter == kRanksAxis || parameter == kProgressAxis || parameter == kShimAxis;
}

std::optional<Traffic> traffic_of(const std::string& text) {
  if (text == "off" || text == "false") return Traffic{};
  if (text == "on" || text == "true") return Traffic{.kept = true};
  if (text == "messages") return Traffic{.kept = true, .messages = true};
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
