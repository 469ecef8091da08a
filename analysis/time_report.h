// SPDX-License-Identifier: LGPL-2.1-only
// Where the time of a run went, from its events: the critical path, late ranks and phases, as text and as JSON.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/critical_path.h"
#include "analysis/late.h"
#include "analysis/phases.h"
#include "platforms/machine.h"
#include "records/json.h"

namespace strata::analysis {

struct TimeReport {
  CriticalPath path;
  Late late;
  std::vector<Phase> phases;
};

/// Reads the file twice. `machine`: the one that the program ran on; nullptr: unknown, and messages on the path are not
/// divided into latency, transfer and contention. Throws InputError where the file is damaged or the machine does not
/// have the cores that it names.
TimeReport time_report(const std::filesystem::path& events, const Machine* machine);

/// Some lines, each ending in a line feed: the largest parts only.
std::string time_text(const TimeReport& report);

/// Sets the keys critical_path, late and phases of strata.exec/1. At most kMostInJson pieces of the path, the longest,
/// and pairs of ranks, the worst; the number of those left out is there too.
void add_time(const TimeReport& report, Json& document);
inline constexpr size_t kMostInJson = 10'000;

// --- parts of it, for documents with other limits ---

/// The longest pieces, at most `most`: their indexes, in the order of time.
std::vector<size_t> longest_pieces(const std::vector<PathPiece>& pieces, size_t most);

/// {"late":0,"waits":1,"count":2,"seconds":0.002,"longest":0.001}
Json figures_of(const LatePair& pair);
/// {"last":0,"count":2,"seconds":0.002,"longest":0.001}
Json figures_of(const LateToBarrier& barrier);
/// Adds the keys ranks, times, seconds, computing, communicating and waiting.
void add_figures(const Phase& phase, Json& document);

}  // namespace strata::analysis
