// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/axis_ticks.h"

#include <algorithm>
#include <cmath>

#include "analysis/format.h"

namespace strata::analysis {
namespace {

constexpr int kLinearSteps = 6;         // target: enough to read values off, and not crowded
constexpr double kFewDecades = 2.5;     // below this, powers of ten alone are too few labels
constexpr int kMostDecades = 9;         // above this, only every second (third, ...) power of ten is labelled
constexpr double kLogMargin = 0.04;     // of the axis' length, on each side
constexpr double kLinearMargin = 0.05;  // the same

// The round step (1, 2 or 5 times a power of ten) that divides `length` into about kLinearSteps.
double round_step(double length) {
  const double rough = length / kLinearSteps;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double m : {1.0, 2.0, 5.0}) {
    if (m * power >= rough * 0.999) return m * power;
  }
  return 10 * power;
}

void add_round_steps(AxisTicks& axis, const std::string& unit) {
  const double step = round_step(axis.to - axis.from);
  const auto first = static_cast<long>(std::ceil(axis.from / step - 1e-9));
  const auto last = static_cast<long>(std::floor(axis.to / step + 1e-9));
  for (long i = first; i <= last; ++i) {
    const double value = static_cast<double>(i) * step;
    axis.ticks.push_back({value, true, tick_text(value, unit)});
  }
}

AxisTicks linear(double low, double high, const std::string& unit, bool zero) {
  if (high <= low) high = low + (low == 0 ? 1 : std::abs(low) * 0.1);
  AxisTicks axis;
  const double margin = (high - low) * kLinearMargin;
  // The lengths of bars are compared from zero, so start there unless that would waste most of the axis.
  axis.from = zero && low >= 0 && low < 0.7 * high ? 0 : low - margin;
  axis.to = high + margin;
  add_round_steps(axis, unit);
  return axis;
}

AxisTicks logarithmic(double low, double high, const std::string& unit) {
  AxisTicks axis;
  axis.log = true;
  if (high < low * 1.5) {  // put a flat line in the middle of a short axis
    low /= 1.5;
    high *= 1.5;
  }
  const double decades = std::log10(high / low);
  const double margin = std::pow(10, decades * kLogMargin);
  axis.from = low / margin;
  axis.to = high * margin;
  const bool few = decades < kFewDecades;
  const int every = std::max(1, static_cast<int>(std::ceil(decades / kMostDecades)));
  const int first = static_cast<int>(std::floor(std::log10(axis.from)));
  const int last = static_cast<int>(std::ceil(std::log10(axis.to)));
  for (int e = first; e <= last; ++e) {
    for (int m = 1; m <= 9; ++m) {
      const double value = m * std::pow(10, e);
      if (value < axis.from || value > axis.to) continue;
      const bool major = (m == 1 && e % every == 0) || (few && (m == 2 || m == 5));
      axis.ticks.push_back({value, major, major ? tick_text(value, unit) : ""});
    }
  }
  if (std::count_if(axis.ticks.begin(), axis.ticks.end(), [](const Tick& t) { return t.major; }) < 3) {
    axis.ticks.clear();
    add_round_steps(axis, unit);
  }
  return axis;
}

}  // namespace

AxisTicks ticks_for(double low, double high, bool log, const std::string& unit, bool zero) {
  return log && low > 0 ? logarithmic(low, high, unit) : linear(low, high, unit, zero);
}

}  // namespace strata::analysis
