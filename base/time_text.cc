// SPDX-License-Identifier: LGPL-2.1-only
#include "base/time_text.h"

#include <charconv>
#include <cmath>

#include "base/units.h"

namespace strata {

std::optional<double> time_in(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  std::string unit(at, end);
  unit.erase(0, unit.find_first_not_of(' '));
  const double factor = unit_factor("time", unit);
  if (error != std::errc() || !std::isfinite(value) || value < 0 || factor == 0) return std::nullopt;
  return value * factor;
}

}  // namespace strata
