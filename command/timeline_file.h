// SPDX-License-Identifier: LGPL-2.1-only
// Timelines of ranks, for `strata replay timeline` and `strata exec --timeline`.
#pragma once

#include <filesystem>
#include <string>

#include "command/command.h"
#include "records/events.h"
#include "records/timeline/selection.h"

namespace strata::command {

/// Adds the options for the part of a run to show: --from, --to, --ranks, --messages, or with a different prefix
/// instead of "--".
void add_timeline_window(cli::App& app, TimelineWords& words);

/// Throws InputError if write_timeline_of would. Call this before the run.
void check_timeline(const TimelineWords& words, int ranks, const std::filesystem::path& file);

/// Writes the timeline of a run or of a replay, in the format that the file name implies. Throws InputError,
/// OutputError.
void write_timeline_of(const EventStore& events, const Machine& machine, const TimelineWords& words,
                       const std::filesystem::path& file);

}  // namespace strata::command
