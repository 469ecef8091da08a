// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/error_bar.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/units.h"
#include "replay/changed_machine.h"
#include "replay/in_threads.h"

namespace strata::replay {
namespace {

// With a smaller part of an interval, the engine's precision would show in the change, which is multiplied.
constexpr double kLeastPart = 1.0 / 1024;

struct Range {
  double low = 0, high = 0;
};

// That of a part of the figure's interval.
Range range_of(const Figure& f, double part) {
  const double half = part * f.plus_minus;
  if (unit_factor("time", f.unit) > 0) return {std::max(0.0, f.value - half), f.value + half};
  // 1 / low and 1 / high are (1 +- r) / value, and high - low = 2 half.
  const double x = half / f.value, r = 2 * x / (1 + std::sqrt(1 + 4 * x * x));
  return {f.value / (1 + r), f.value / (1 - r)};
}

struct Ends {
  std::optional<Machine> larger, smaller;
  double part = 1;  // of the interval
};

std::optional<Machine> with(const Machine& machine, const NamedFigure& figure, double value) {
  return changed_machine(machine, {"error bar of " + figure.name, figure.name, value, figure.figure.unit,
                                   "assumed: an end of its interval"});
}

Ends ends_of(const Machine& machine, const NamedFigure& figure) {
  Ends ends;
  for (double part = 1; part >= kLeastPart; part /= 2) {
    const Range range = range_of(figure.figure, part);
    ends = {with(machine, figure, range.high), with(machine, figure, range.low), part};
    if (ends.larger || ends.smaller) break;
  }
  return ends;
}

double square(double x) { return x * x; }

}  // namespace

double FigureError::later() const { return std::max({0.0, larger, smaller}); }
double FigureError::earlier() const { return std::max({0.0, -larger, -smaller}); }
double FigureError::effect() const { return std::max(later(), earlier()); }

ErrorBar error_bar(const Machine& machine, double simulated_time, const std::function<double(const Machine&)>& seconds,
                   int jobs, const std::function<void(std::size_t all)>& replayed) {
  ErrorBar bar;
  std::vector<Ends> ends;
  for (const NamedFigure& figure : speeds_and_times(machine)) {
    if (figure.figure.plus_minus > 0) {
      const Range range = range_of(figure.figure, 1);
      bar.figures.push_back({.figure = figure, .low = range.low, .high = range.high});
      ends.push_back(ends_of(machine, figure));
    } else {
      ++bar.without;
    }
  }
  std::vector<std::optional<double>> changes(2 * ends.size());  // larger, smaller
  const auto replay_one = [&](std::size_t i) {
    const Ends& of = ends[i / 2];
    const std::optional<Machine>& there = i % 2 == 0 ? of.larger : of.smaller;
    if (there) changes[i] = (seconds(*there) - simulated_time) / of.part;
  };
  in_threads(changes.size(), jobs, replay_one, [&] {
    if (replayed) replayed(changes.size());
  });
  double later = 0, earlier = 0;  // squares
  for (std::size_t f = 0; f < ends.size(); ++f) {
    FigureError& error = bar.figures[f];
    const std::optional<double>&larger = changes[2 * f], &smaller = changes[2 * f + 1];
    error.larger = larger.value_or(-smaller.value_or(0));
    error.smaller = smaller.value_or(-larger.value_or(0));
    error.estimated = !larger || !smaller || ends[f].part < 1;
    later += square(error.later());
    earlier += square(error.earlier());
  }
  bar.low = std::max(0.0, simulated_time - std::sqrt(earlier));
  bar.high = simulated_time + std::sqrt(later);
  return bar;
}

}  // namespace strata::replay
