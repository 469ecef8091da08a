// SPDX-License-Identifier: LGPL-2.1-only
// Timelines of ranks, for `strata timeline` and `strata exec --timeline`.
#pragma once

#include <filesystem>
#include <string>

#include "command/command.h"
#include "records/timeline/selection.h"

namespace strata::command {

/// The options for the part of a run that is shown: --from, --to, --ranks, --messages, or with another prefix than
/// "--".
void add_timeline_window(cli::App& app, TimelineWords& words);

/// Throws InputError where write_timeline_of would. To be called before the run.
void check_timeline(const TimelineWords& words, int ranks, const std::filesystem::path& file);

/// Writes the timeline of a run that `strata exec` has recorded, in the format that the file's name says. Throws
/// InputError, OutputError.
void write_timeline_of(const std::filesystem::path& events, const Machine& machine, const TimelineWords& words,
                       const std::filesystem::path& file);

}  // namespace strata::command
