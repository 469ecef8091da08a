// SPDX-License-Identifier: LGPL-2.1-only
// The effect of each figure of the machine: by how many seconds the simulated time changes if a latency, a bandwidth or
// the cores' speed increases by a percent.
//
// There are two estimates. Along the critical path: the time of its messages and computations alone on the changed
// machine, minus that on this one. It is exact if nothing on the path shares links, and as long as the path stays the
// same. By replays with a percent more and a percent less: half the difference. If the two disagree, the replays are
// right, and the reason is either contention or a kink: another path takes over within the step, so that a percent more
// does not gain what a percent less costs.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "platforms/named_figures.h"
#include "replay/history.h"
#include "replay/replayed_path.h"

namespace strata::replay {

struct Sensitivity {
  static constexpr double kStep = 0.01;

  NamedFigure figure;
  double path = 0;             // additional s for a percent more, along the critical path
  double replays = 0;          // the same by replays
  std::optional<double> more;  // additional s of the replay with a percent more; empty: no such machine exists
  std::optional<double> less;  // the same with a percent less
  bool same = false;           // `path` equals `replays` within a thousandth
  bool kink = false;           // `more` differs from -`less` by more than the curvature of 1/x can explain

  /// Whether it has no effect.
  bool is_zero() const { return path == 0 && more.value_or(0) == 0 && less.value_or(0) == 0; }
};

/// `seconds` returns the simulated time on a machine, for the same trace and cores; `path` and `history` are of the
/// replay on `machine`. Runs two replays for each figure, `jobs` at a time, so `seconds` is called by that many
/// threads. `replayed` is called after each of the `all` replays, by one thread at a time.
std::vector<Sensitivity> sensitivities(const Machine& machine, const std::vector<int>& cores, const History& history,
                                       const std::vector<PathStep>& path,
                                       const std::function<double(const Machine&)>& seconds, int jobs,
                                       const std::function<void(std::size_t all)>& replayed = {});

}  // namespace strata::replay
