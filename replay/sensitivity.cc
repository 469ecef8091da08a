// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/sensitivity.h"

#include <algorithm>
#include <cmath>

#include "replay/changed_machine.h"
#include "replay/in_threads.h"

namespace strata::replay {
namespace {

// If a time is proportional to 1/x, a percent more of x changes it by 2 % less than a percent less of x.
constexpr double kCurve = 0.05;
constexpr double kSame = 1e-3;
// Each event of a replay may be off by the engine's precision.
constexpr double kRoundingSeconds = 1e-12;

// The time on the machine with `factor` times the figure, minus that on the machine itself; s.
struct Side {
  std::optional<double> along_path, replayed;
};

std::optional<Machine> with(const Machine& machine, const std::string& figure, double factor) {
  return changed_machine(machine, {"sensitivity of " + figure, figure, factor, "", "assumed: a percent more or less"});
}

double central(const std::optional<double>& more, const std::optional<double>& less) {
  if (more && less) return (*more - *less) / 2;
  return more ? *more : less ? -*less : 0;
}

}  // namespace

std::vector<Sensitivity> sensitivities(const Machine& machine, const std::vector<int>& cores, const History& history,
                                       const std::vector<PathStep>& path,
                                       const std::function<double(const Machine&)>& seconds, int jobs,
                                       const std::function<void(std::size_t all)>& replayed) {
  std::vector<Sensitivity> all;
  for (const NamedFigure& figure : speeds_and_times(machine)) {
    if (figure.figure.value > 0) all.push_back({.figure = figure, .more = {}, .less = {}});
  }
  Costs here(machine);
  const double alone_here = alone(path, history, cores, here);
  std::vector<Side> sides(2 * all.size());  // more, less
  const auto replay_one = [&](std::size_t i) {
    const double factor = i % 2 == 0 ? 1 + Sensitivity::kStep : 1 - Sensitivity::kStep;
    const std::optional<Machine> there = with(machine, all[i / 2].figure.name, factor);
    if (!there) return;
    Costs costs(*there);
    sides[i] = {alone(path, history, cores, costs) - alone_here, seconds(*there) - history.end()};
  };
  in_threads(sides.size(), jobs, replay_one, [&] {
    if (replayed) replayed(sides.size());
  });
  const double rounding = kRoundingSeconds * static_cast<double>(path.size() + 1);
  for (std::size_t f = 0; f < all.size(); ++f) {
    Sensitivity& s = all[f];
    const Side &more = sides[2 * f], &less = sides[2 * f + 1];
    const auto clean = [rounding](std::optional<double> value) {
      if (value && std::abs(*value) <= rounding) value = 0;
      return value;
    };
    s.more = clean(more.replayed);
    s.less = clean(less.replayed);
    s.path = *clean(central(more.along_path, less.along_path));
    s.replays = central(s.more, s.less);
    s.same = std::abs(s.path - s.replays) <= kSame * std::max(std::abs(s.path), std::abs(s.replays)) + rounding;
    if (s.more && s.less)
      s.kink = std::abs(*s.more + *s.less) > kCurve * std::max(std::abs(*s.more), std::abs(*s.less)) + rounding;
  }
  return all;
}

}  // namespace strata::replay
