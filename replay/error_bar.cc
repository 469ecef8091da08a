// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/error_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

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

std::optional<Machine> with(const Machine& machine, const NamedFigure& figure, double value) {
  return changed_machine(machine, {"error bar of " + figure.name, figure.name, value, figure.figure.unit,
                                   "assumed: an end of its interval"});
}

FigureEnds ends_of(const Machine& machine, const NamedFigure& figure) {
  const Range whole = range_of(figure.figure, 1);
  FigureEnds ends{.figure = figure, .low = whole.low, .high = whole.high, .smaller = {}, .larger = {}};
  for (double part = 1; part >= kLeastPart; part /= 2) {
    const Range range = range_of(figure.figure, part);
    ends.larger = with(machine, figure, range.high);
    ends.smaller = with(machine, figure, range.low);
    ends.part = part;
    if (ends.larger || ends.smaller) break;
  }
  return ends;
}

double square(double x) { return x * x; }

}  // namespace

double FigureError::later() const { return std::max({0.0, larger, smaller}); }
double FigureError::earlier() const { return std::max({0.0, -larger, -smaller}); }
double FigureError::effect() const { return std::max(later(), earlier()); }

std::vector<const Machine*> Ends::machines() const {
  std::vector<const Machine*> all;
  for (const FigureEnds& f : figures) {
    if (f.larger) all.push_back(&*f.larger);
    if (f.smaller) all.push_back(&*f.smaller);
  }
  return all;
}

std::string Ends::change_of(const Machine* machine) const {
  for (const FigureEnds& f : figures) {
    const Range range = range_of(f.figure.figure, f.part);
    for (const auto& [there, value] : {std::pair(&f.larger, range.high), std::pair(&f.smaller, range.low)}) {
      if (*there && &**there == machine)
        return fmt::format("{} at {:.4g} {}", f.figure.name, value, f.figure.figure.unit);
    }
  }
  throw std::invalid_argument("the machine is not one of these ends");
}

Ends ends_of_intervals(const Machine& machine) {
  Ends ends;
  for (const NamedFigure& figure : speeds_and_times(machine)) {
    if (figure.figure.plus_minus > 0) {
      ends.figures.push_back(ends_of(machine, figure));
    } else {
      ++ends.without;
    }
  }
  return ends;
}

ErrorBar error_bar(const Ends& ends, double value, const std::vector<double>& at_ends) {
  ErrorBar bar;
  bar.without = ends.without;
  double above = 0, below = 0;  // squares
  std::size_t next = 0;
  for (const FigureEnds& f : ends.figures) {
    std::optional<double> larger, smaller;
    if (f.larger) larger = (at_ends.at(next++) - value) / f.part;
    if (f.smaller) smaller = (at_ends.at(next++) - value) / f.part;
    FigureError error{.figure = f.figure, .low = f.low, .high = f.high};
    error.larger = larger.value_or(-smaller.value_or(0));
    error.smaller = smaller.value_or(-larger.value_or(0));
    error.estimated = !larger || !smaller || f.part < 1;
    above += square(error.later());
    below += square(error.earlier());
    bar.figures.push_back(std::move(error));
  }
  bar.low = std::max(0.0, value - std::sqrt(below));
  bar.high = value + std::sqrt(above);
  return bar;
}

RecordedBar recorded(const ErrorBar& bar) {
  RecordedBar record{.low = bar.low, .high = bar.high, .without_interval = bar.without, .figures = {}};
  for (const FigureError& f : bar.figures) {
    if (f.effect() == 0) continue;
    const Figure& figure = f.figure.figure;
    record.figures.push_back(
        {f.figure.name, figure.value, figure.unit, figure.plus_minus, f.larger, f.smaller, f.estimated});
  }
  return record;
}

ErrorBar error_bar(const Machine& machine, double simulated_time, const std::function<double(const Machine&)>& seconds,
                   int jobs, const std::function<void(std::size_t all)>& replayed) {
  const Ends ends = ends_of_intervals(machine);
  const std::vector<const Machine*> machines = ends.machines();
  std::vector<double> times(machines.size());
  in_threads(
      machines.size(), jobs, [&](std::size_t i) { times[i] = seconds(*machines[i]); },
      [&] {
        if (replayed) replayed(machines.size());
      });
  return error_bar(ends, simulated_time, times);
}

}  // namespace strata::replay
