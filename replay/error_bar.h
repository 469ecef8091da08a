// SPDX-License-Identifier: LGPL-2.1-only
// The error bar of a simulated time: how far the time may be off because the machine's figures are.
//
// The true number of a measured figure is in its interval in 95 of 100 cases. Two replays show how the time changes
// with the figure at either end. The changes of all figures to later times are added in quadrature, and so are those to
// earlier times. For example, k messages of m bytes, one after another:
//
//   T = k (L + m / B), k = 1000, m = 16 kB, L = 2 us +- 0.1 us, B = 8 GB/s +- 1 GB/s:  T = 4 ms
//
//   figure  interval             at the upper end  at the lower end
//   L       1.9 to 2.1 us        +0.1 ms           -0.1 ms
//   B       7.123 to 9.123 GB/s  -0.246 ms         +0.246 ms
//
//   sqrt(0.1^2 + 0.246^2) ms = 0.266 ms, so T is 3.734 to 4.266 ms in 95 % of cases
//
// The interval of a time is value +- plus_minus, but not below 0. That of a bandwidth or speed is 2 plus_minus wide and
// has its middle at 1 / value, because the time per byte is what was fitted: 0.125 ns +- 0.0154 ns above. If plus_minus
// is small, these are nearly value +- plus_minus. But it may be larger than the value: if few bytes were sent, hardly
// anything is known of the bandwidth.
//
// This is first-order propagation of uncertainty (JCGM 100:2008, the GUM, 5.1.2), with changes of the time itself in
// place of derivatives (5.1.3, note 2). It assumes that the errors of figures are independent. Latency and bandwidth of
// one level are not: they are fitted to the same samples, and a latency that is too long goes with a bandwidth that is
// too large. So the bar is rather too wide. To add each side on its own is usual, not exact (R. Barlow, Asymmetric
// Systematic Errors, arXiv:physics/0306138). Figures without an interval, sizes such as the eager limit, and all that
// the model leaves out add nothing to the bar.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "platforms/named_figures.h"
#include "records/recorded_bar.h"

namespace strata::replay {

/// The effect of a figure's interval on the time.
struct FigureError {
  NamedFigure figure;
  double low = 0, high = 0;  // the ends of the interval, in the figure's unit
  double larger = 0;         // additional s with the figure at `high`
  double smaller = 0;        // additional s with the figure at `low`
  /// Not both of these machines exist: for example, a message would be faster than its link. If one exists, the other
  /// change is minus its change. If none exists, half of the interval is tried, and its changes are doubled; then a
  /// quarter, and so on.
  bool estimated = false;

  double later() const;    // s, at least 0
  double earlier() const;  // the same
  double effect() const;   // the larger of the two
};

/// A figure with an interval, and the machines with this figure at either end.
struct FigureEnds {
  NamedFigure figure;
  double low = 0, high = 0;                // of the interval, in the figure's unit
  std::optional<Machine> smaller, larger;  // empty: this machine does not exist (FigureError::estimated)
  double part = 1;                         // of the interval, with these machines
};

/// All figures of a machine with an interval, in the order of machine.yaml.
struct Ends {
  std::vector<FigureEnds> figures;
  std::size_t without = 0;  // how many have none

  /// The machines that exist, figure by figure, the larger one first.
  std::vector<const Machine*> machines() const;
  /// "Package.latency at 1.2 us": what changes on one of these machines.
  std::string change_of(const Machine* machine) const;
};
Ends ends_of_intervals(const Machine& machine);

struct ErrorBar {
  std::vector<FigureError> figures;  // speeds, bandwidths and times with an interval, in the order of machine.yaml
  std::size_t without = 0;           // how many have none
  double low = 0, high = 0;          // s; both are the simulated time if no figure has an interval
};

/// The bar of any predicted value that is not below 0, such as a time or a rate: `value` on the machine, and `at_ends`
/// on each of ends.machines(). Then `larger` and `smaller` of its figures, `low` and `high` are in the value's unit.
ErrorBar error_bar(const Ends& ends, double value, const std::vector<double>& at_ends);

/// As a record keeps it.
RecordedBar recorded(const ErrorBar& bar);

/// `seconds` returns the simulated time on a machine, for the same trace and cores, and `simulated_time` is that on
/// `machine`. Runs up to two replays for each figure with an interval, `jobs` at a time, so `seconds` is called by that
/// many threads. `replayed` is called after each of the `all` replays, by one thread at a time.
ErrorBar error_bar(const Machine& machine, double simulated_time, const std::function<double(const Machine&)>& seconds,
                   int jobs, const std::function<void(std::size_t all)>& replayed = {});

}  // namespace strata::replay
