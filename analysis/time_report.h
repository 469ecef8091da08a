// SPDX-License-Identifier: LGPL-2.1-only
// Where a run spent its time, from its events: the critical path, late ranks and phases, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "analysis/late.h"
#include "analysis/phases.h"
#include "analysis/recorded_path.h"
#include "base/json.h"
#include "platforms/machine.h"
#include "records/events.h"

namespace strata::analysis {

struct TimeReport {
  CriticalPath path;
  Late late;
  std::vector<Phase> phases;
};

/// Reads the events twice. `machine`: that on which the program ran; nullptr: unknown, so messages on the path are not
/// divided into latency, transfer and contention. Throws InputError if they are damaged or name cores that the
/// machine does not have.
TimeReport time_report(const EventStore& events, const Machine* machine);

/// Several lines, each with a line feed, with only the largest parts.
std::string time_text(const TimeReport& report);

/// Sets the keys critical_path, late and phases of strata.exec/1. It contains at most kMostInJson pieces of the path
/// (the longest) and pairs of ranks (the worst), and how many were left out.
void add_time(const TimeReport& report, Json& document);
inline constexpr size_t kMostInJson = 10'000;

// --- parts of it, for documents with other limits ---

/// {"late":0,"waits":1,"count":2,"seconds":0.002,"longest":0.001}
Json figures_of(const LatePair& pair);
/// {"last":0,"count":2,"seconds":0.002,"longest":0.001}
Json figures_of(const LateToBarrier& barrier);
/// Adds the keys ranks, times, seconds, computing, communicating and waiting.
void add_figures(const Phase& phase, Json& document);

}  // namespace strata::analysis
