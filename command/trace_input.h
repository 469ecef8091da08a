// SPDX-License-Identifier: LGPL-2.1-only
// Reads a trace in any supported format, and finds the machine for a command.
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
  Machine machine;  // of the command line, or else of the recording
};

/// Detects the format from the first bytes. A time-independent trace is run by SMPI's replayer, and the calls of an
/// archive are repeated, on the machine and with the placement of the command line. Differences from the file are
/// reported on stderr. Throws InputError, sim::SimulationFailed.
TraceInput read_any_trace(const std::string& file, const MachineOptions& options,
                          const sim::Installation& installation);

}  // namespace strata::command
