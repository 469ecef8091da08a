// SPDX-License-Identifier: LGPL-2.1-only
#include "console/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace strata::console {
namespace {

// SI prefixes from nano to tera. Times are never shown in ks, because people prefer to read 2400 s.
struct Prefix {
  double factor;
  const char* text;
};
constexpr std::array<Prefix, 8> kPrefixes = {{
    {1e-9, "n"},
    {1e-6, "u"},
    {1e-3, "m"},
    {1, ""},
    {1e3, "k"},
    {1e6, "M"},
    {1e9, "G"},
    {1e12, "T"},
}};

bool takes_prefix(std::string_view unit) { return unit == "s" || unit == "B" || unit == "B/s" || unit == "flop/s"; }

// The decimal exponent of `value` after rounding to `digits` digits: 1 for 9.9996 and 4 digits.
int rounded_exponent(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  return std::atoi(text.c_str() + text.find('e') + 1);
}

const Prefix& prefix_for(double value, bool sub_unit, bool above_unit) {
  const Prefix* best = nullptr;
  for (const Prefix& p : kPrefixes) {
    if ((p.factor < 1 && !sub_unit) || (p.factor > 1 && !above_unit)) continue;
    // Values just below the prefix still use it, so that 9.99999e-4 s is "1.000 ms" and not "1000 us".
    if (best == nullptr || std::abs(value) >= p.factor * 0.99995) best = &p;
  }
  return *best;
}

}  // namespace

std::string significant(double value, int digits) {
  if (value == 0) return "0";
  const int exponent = rounded_exponent(value, digits);
  if (exponent < -4 || exponent >= 9) return fmt::format("{:.{}e}", value, digits - 1);
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
}

std::string shortest(double value) { return fmt::format("{:.6g}", value); }

std::string shown_unit(const std::string& unit) { return unit == "1" ? "" : unit; }

Scale scale_for(double value, const std::string& unit) {
  if (!takes_prefix(unit) || value == 0 || !std::isfinite(value)) return {1, shown_unit(unit)};
  const Prefix& p = prefix_for(value, unit == "s", unit != "s");
  return {1 / p.factor, p.text + unit};
}

std::string with_unit(double value, const std::string& unit, int digits) {
  const Scale scale = scale_for(value, unit);
  const std::string number = significant(value * scale.factor, digits);
  return scale.unit.empty() ? number : number + " " + scale.unit;
}

std::string range_text(double low, double high, const std::string& unit) {
  constexpr int kDigits = 3, kMostDecimals = 9;
  constexpr double kRounding = 1e-9;  // relative
  if (high - low <= kRounding * std::max(std::abs(low), std::abs(high))) return with_unit(low, unit, kDigits);
  const Scale scale = scale_for(std::max(std::abs(low), std::abs(high)), unit);
  const int width = static_cast<int>(std::floor(std::log10((high - low) * scale.factor)));
  const int decimals = std::clamp(1 - width, 0, kMostDecimals);
  return fmt::format("{:.{}f} to {:.{}f}{}", low * scale.factor, decimals, high * scale.factor, decimals,
                     scale.unit.empty() ? "" : " " + scale.unit);
}

std::string tick_text(double value, const std::string& unit) {
  if (shown_unit(unit).empty()) {
    const Prefix& p = prefix_for(value, false, true);
    return shortest(value / p.factor) + p.text;
  }
  const Scale scale = scale_for(value, unit);
  return shortest(value * scale.factor) + " " + scale.unit;
}

}  // namespace strata::console
