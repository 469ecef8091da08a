// SPDX-License-Identifier: LGPL-2.1-only
// Places ranks by the time of a recorded program: models/time_search.h with replays to evaluate placements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/difference_bar.h"
#include "models/time_search.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "records/matrix/pattern.h"
#include "records/trace/trace.h"

namespace strata::command {

/// The limit of a search.
struct Budget {
  long evaluations = 300;
  double seconds = 0;  // of wall time; 0: until the evaluations are used up
};

/// "500": evaluations; "90s": wall time. Throws InputError for --budget.
Budget parse_budget(const std::string& text);

struct TimedMapping {
  models::TimeSearchResult found;
  std::vector<models::NamedMapping> starts;  // "identity", "treematch", "scotch"
  bool interrupted = false;                  // by Ctrl-C
};

/// `ranks`: where the processes are. Shows progress if stderr is a terminal. Ctrl-C ends the search and returns the
/// best mapping so far; a second one ends the program.
TimedMapping map_by_time(const Trace& trace, const Machine& machine, const std::vector<Binding>& ranks,
                         const Pattern& bytes, const Budget& budget, std::uint64_t seed);

/// By start: how much longer the program takes than with the mapping that was found, by the intervals of the machine's
/// figures. Empty if none has an interval. Replays each mapping twice for each figure, and shows progress.
std::vector<analysis::DifferenceBar> longer_than_found(const Trace& trace, const Machine& machine,
                                                       const std::vector<Binding>& ranks, const TimedMapping& mapping);

}  // namespace strata::command
