// SPDX-License-Identifier: LGPL-2.1-only
// The error bar of a simulated time, as text and as JSON (schemas/replay.schema.json).
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "platforms/machine.h"
#include "records/trace/trace.h"
#include "replay/error_bar.h"

namespace strata::command {

/// The error bar of the trace on this machine, by `jobs` replays at a time, with their progress on stderr. `cores` as
/// in replay/engine.h.
replay::ErrorBar error_bar_of(const Trace& trace, const Machine& machine, const std::vector<int>& cores,
                              double simulated_time, int jobs);

/// The error bar of a run that was recorded as `trace`. With a real MPI library a replay may take another time, so the
/// changes of the replay's time are those of the run's.
replay::ErrorBar error_bar_of_run(const Trace& trace, const Machine& machine, double simulated_time, int jobs);

/// A line for a machine without intervals.
std::string no_error_bar_text(const Machine& machine);

/// Several lines, each with a line feed: the bar, the figures that contribute most, how well the machine predicts
/// measurements, and how far simulated times were off on other machines. If no figure has an interval, a line says so,
/// and what to do, in place of the bar.
std::string error_bar_text(const replay::ErrorBar& bar, double simulated_time, const Machine& machine);

Json error_bar_json(const replay::ErrorBar& bar, const Machine& machine);

}  // namespace strata::command
