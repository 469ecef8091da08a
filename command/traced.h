// SPDX-License-Identifier: LGPL-2.1-only
// For commands that replay a trace: where its ranks are, and what a replay can't know.
#pragma once

#include <string>
#include <vector>

#include "command/command.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "records/trace/trace.h"

namespace strata::command {

/// Where the ranks are: as recorded, unless the options say where or name another machine. Throws InputError that
/// blames `file` where the machine has another number of cores than the one of the recording.
std::vector<Binding> place_trace(const MachineOptions& options, const std::string& file, const Machine& machine,
                                 const Trace& trace);

/// The functions that got an answer that another machine may not give.
std::vector<std::string> doubtful(const Trace& trace);

/// Says on stderr that these answers are kept, if there are any.
void tell_doubts(const std::vector<std::string>& doubts);

}  // namespace strata::command
