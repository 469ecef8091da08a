// SPDX-License-Identifier: LGPL-2.1-only
// How much a percent of each figure of the machine is worth: by how many seconds the simulated time changes if a
// latency, a bandwidth or the cores' speed is a percent larger.
//
// It is found in two ways. Along the critical path: what its messages and computations would take alone on the changed
// machine, less what they take alone on this one. That is exact where nothing on the path shares links, and as long as
// the path stays the same. And by replays with a percent more and a percent less: half the difference. Where the two
// differ the replays are right, and say why: contention, or a kink, where another path takes over within the step, so
// that a percent more is not worth what a percent less costs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "platforms/named_figures.h"
#include "replay/critical_path.h"
#include "replay/history.h"

namespace strata::replay {

struct Sensitivity {
  static constexpr double kStep = 0.01;

  NamedFigure figure;
  double path = 0;             // s more for a percent more, along the critical path
  double replays = 0;          // the same by replays
  std::optional<double> more;  // s that the replay takes more with a percent more; none: there is no such machine
  std::optional<double> less;  // the same with a percent less
  bool same = false;           // `path` is `replays`, within a thousandth
  bool kink = false;           // `more` is not -`less`, by more than the curve of 1/x can explain

  /// Whether it has no effect.
  bool is_zero() const { return path == 0 && more.value_or(0) == 0 && less.value_or(0) == 0; }
};

/// `seconds`: the simulated time on a machine, by the same trace and cores; `path` and `history` are of the replay on
/// `machine`. Two replays for each figure, `jobs` at a time: `seconds` is called by that many threads.
std::vector<Sensitivity> sensitivities(const Machine& machine, const std::vector<int>& cores, const History& history,
                                       const CriticalPath& path, const std::function<double(const Machine&)>& seconds,
                                       int jobs);

}  // namespace strata::replay
