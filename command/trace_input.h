// SPDX-License-Identifier: LGPL-2.1-only
// A trace in any format that strata reads, and the machine that a command is about.
#pragma once

#include <string>

#include "command/command.h"
#include "platforms/machine.h"
#include "records/trace/trace.h"

namespace strata::command {

/// For --help.
inline constexpr const char* kTraceFormats =
    "what strata exec --record has written; a GOAL schedule (LogGOPSim, ATLAHS), as text or from txt2bin; a "
    "time-independent trace (smpirun -trace-ti): its actions, or the list of their files; or the traces.otf2 of an "
    "archive of OTF2 (Score-P)";

struct TraceInput {
  Trace trace;
  Machine machine;  // of the command line, else of the recording
};

/// The first bytes show the format. A time-independent trace is run by SMPI's replayer, an archive's calls are made
/// again, on the machine and with the placement of the command line. Writes to stderr what is not as in the file.
/// Throws InputError, sim::SimulationFailed.
TraceInput read_any_trace(const std::string& file, const MachineOptions& options,
                          const sim::Installation& installation);

}  // namespace strata::command
