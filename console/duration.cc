// SPDX-License-Identifier: LGPL-2.1-only
#include "console/duration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace strata::console {
namespace {

constexpr double kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
constexpr double kMost = 1000 * 365 * kDay;

// "2 h 5 min", "2 h"
std::string in_units(long amount, long of_large, const char* large, const char* small) {
  std::string text = fmt::format("{} {}", amount / of_large, large);
  if (amount % of_large != 0) text += fmt::format(" {} {}", amount % of_large, small);
  return text;
}

}  // namespace

std::string duration_text(double seconds) {
  const double s = std::clamp(std::round(seconds), 1.0, kMost);
  if (s < kMinute) return fmt::format("{:.0f} s", s);
  if (const long tens = std::lround(s / 10); tens < 60) return in_units(10 * tens, 60, "min", "s");
  const long minutes = std::lround(s / kMinute), hours = std::lround(s / kHour);
  if (minutes < 60) return fmt::format("{} min", minutes);
  return hours < 24 ? in_units(minutes, 60, "h", "min") : in_units(hours, 24, "d", "h");
}

}  // namespace strata::console
