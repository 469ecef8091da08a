// SPDX-License-Identifier: LGPL-2.1-only
// Writes a trace as a GOAL schedule (goal.h).
//
// Each operation requires the one before it and the messages for which the program waits before it. If the program
// continues while the previous operation runs, it irequires that operation instead. A `calc 0` represents a wait
// without other work. Each message of a pair of ranks has its own tag, so that each receive gets the same message as in
// the trace.
//
// Computation and sleep become calc, in whole ns. The rounding error is carried over to the rank's next calc, so a rank
// is never more than 1 ns off.
#pragma once

#include <filesystem>
#include <string>

#include "platforms/machine.h"
#include "records/trace/trace.h"

namespace strata {

/// `from`: the trace's file, for errors. `machine`: its cores determine the times of computation. Returns the time of
/// all ranks, s, that takes longer if cores share their memory (PlainSteps::alone_s). Throws InputError for steps that
/// GOAL cannot express (probes, MPI_Ssend and similar functions, programs that measure themselves), and OutputError.
double write_goal(const Trace& trace, const Machine& machine, const std::string& from,
                  const std::filesystem::path& file);

}  // namespace strata
