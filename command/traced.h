// SPDX-License-Identifier: LGPL-2.1-only
// For commands that replay a trace: the places of its ranks, and what a replay cannot know.
#pragma once

#include <string>
#include <vector>

#include "command/command.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "records/trace/trace.h"

namespace strata::command {

/// The places of the ranks: those of the recording, unless the options contain a placement or another machine. Throws
/// InputError for `file` if the machine has a different number of cores from that of the recording.
std::vector<Binding> place_trace(const MachineOptions& options, const std::string& file, const Machine& machine,
                                 const Trace& trace);

/// The functions whose recorded result might be different on another machine.
std::vector<std::string> doubtful(const Trace& trace);

/// Says on stderr that these results are kept, if there are any.
void tell_doubts(const std::vector<std::string>& doubts);

}  // namespace strata::command
