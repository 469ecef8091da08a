// SPDX-License-Identifier: LGPL-2.1-only
// The fastest choice for a cell. The library's own is timed first. For each other one a time is found below which it
// cannot be. Then the choices are timed, the most promising first, and each is abandoned as soon as it has taken longer
// than the best so far:
//
//   own 454 us;  scatter_allgather_ring, at least 120 us: 167 us;  binomial, at least 160 us: abandoned at 167 us;
//   linear, at least 300 us: not timed
//
// So the fastest choice and its time are exact, and those of abandoned choices are not known. If several
// take the same time, the library's own is the best, then the first of the list. The order in which choices are tried
// changes only how soon they are abandoned: the winner of a similar cell comes first.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "collectives/rules/rule_file.h"
#include "collectives/tuning/cell.h"

namespace strata::collectives {

struct Attempt {
  enum class End {
    kTimed,
    kSlower,  // than `until_s`
    kTooLong  // it has more steps than may be replayed
  };
  End end = End::kTimed;
  double seconds = 0;  // kTimed
};
/// Times a choice, for `until_s` of simulated time at most.
using Time = std::function<Attempt(const Choice& choice, double until_s)>;
struct Timer {
  Time time;
  Time at_least;  // a time below which `time` is never, and which is found faster
};

struct CellTimes {
  Cell cell = {};
  Choice own = {};                        // what the library chooses itself
  std::optional<double> own_s = {};       // empty: it has too many steps, or no schedule
  Choice best = {};                       // the same as `own` if nothing is faster
  std::optional<double> best_s = {};      // empty: nothing could be timed
  std::optional<double> least_gain = {};  // gain() at the lower end of its error bar; empty: not known
  int timed = 0, slower = 0;              // choices, including the library's own; those that cannot win
  std::vector<Choice> too_long = {};

  bool is_timed() const { return own_s.has_value() && best_s.has_value(); }
  /// The part of the time that the best choice saves.
  double gain() const { return is_timed() && *own_s > 0 ? 1 - *best_s / *own_s : 0; }
};

/// `own`: empty if the library's choice has no schedule. `first`: a choice to try before the others; null: none.
CellTimes fastest(const Cell& cell, const std::optional<Choice>& own, const std::vector<Choice>& others,
                  const Choice* first, const Timer& timer);

/// Improves `times` by further choices, which come after all earlier ones.
void try_further(CellTimes& times, const std::vector<Choice>& others, const Choice* first, const Timer& timer);

}  // namespace strata::collectives
