// SPDX-License-Identifier: LGPL-2.1-only
// Reads a trace in any supported format, and finds the machine for a command.
#pragma once

#include <memory>
#include <string>

#include "command/command.h"
#include "platforms/machine.h"
#include "records/trace/trace.h"
#include "sim/launcher/scratch.h"

namespace strata::command {

/// For --help.
inline constexpr const char* kTraceFormats =
    "what strata exec --record has written; a GOAL schedule (LogGOPSim, ATLAHS), as text or from txt2bin; a "
    "time-independent trace (smpirun -trace-ti): its actions, or the list of their files; or the traces.otf2 of an "
    "archive of OTF2 (Score-P)";

/// For --help of --limit.
inline constexpr const char* kTraceTimeout =
    "for a time-independent trace or an archive: end SMPI's simulation of it after this many seconds of wall time "
    "(default: never)";

struct TraceInput {
  Trace trace;
  Machine machine;  // of the command line, or else of the recording
  /// Holds the files of the machine that the recording carries, to which `machine` refers; null: another machine.
  std::shared_ptr<const sim::ScratchFolder> machine_folder = {};
};

/// Detects the format from the first bytes. A time-independent trace is run by SMPI's replayer, and the calls of an
/// archive are repeated, on the machine and with the placement of the command line. Differences from the file are
/// reported on stderr. SMPI gets `time_limit_s` of wall time for it; 0: no limit.
///
/// Without a machine on the command line, a recording's is used: the one that it carries, or, if it only has a name,
/// the catalog's, which stderr says. Throws InputError, also if this machine has another hash than the recording's, and
/// sim::SimulationFailed.
TraceInput read_any_trace(const std::string& file, const MachineOptions& options, const sim::Installation& installation,
                          double time_limit_s = 0);

}  // namespace strata::command
