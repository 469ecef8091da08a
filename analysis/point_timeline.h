// SPDX-License-Identifier: LGPL-2.1-only
// The timelines in a run's report: a Gantt chart and its numbers for each point whose trace was recorded
// (traces/point-N.paje in the results folder).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/timeline_queries.h"
#include "analysis/timeline_summary.h"
#include "records/record.h"

namespace strata::analysis {

struct PointTimeline {
  std::string title;    // the point's parameters
  std::string trace;    // "traces/point-3.paje"
  std::string picture;  // "gantt-3.svg"; empty if it was not drawn, for this reason:
  std::string not_drawn;
  Timeline::Phase phase;
  std::vector<Timeline::State> states;  // of the cores
  TimelineSummary summary;              // without cores if nothing was recorded
};

/// Draws `into`/gantt-N.svg for each trace of the run: the phase with the name of the study's metric (find_phase).
/// Throws InputError if a trace is damaged, OutputError if a picture cannot be made.
std::vector<PointTimeline> draw_timelines(const Results& results, const std::filesystem::path& into);

/// The section in report.md; empty without timelines.
std::string timelines_markdown(const std::vector<PointTimeline>& timelines);

}  // namespace strata::analysis
