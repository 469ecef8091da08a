// SPDX-License-Identifier: LGPL-2.1-only
// A trace as a GOAL schedule (goal.h).
//
// Each operation requires, or irequires where the program goes on meanwhile, the one before it, and the messages that
// the program waits for before it. A `calc 0` stands where the program only waits. Tags number the messages of each
// pair of ranks, so that each receive gets the message that it got.
//
// Computation and sleep are calc, in whole ns: what is rounded is carried on to the rank's next, so a rank is never
// more than 1 ns off.
#pragma once

#include <filesystem>
#include <string>

#include "platforms/machine.h"
#include "records/trace/trace.h"

namespace strata {

/// `from`: the trace's file, for errors. `machine`: whose cores compute. Throws InputError for what GOAL has no words
/// for: probes, MPI_Ssend and its kin, programs that measure themselves; OutputError.
void write_goal(const Trace& trace, const Machine& machine, const std::string& from, const std::filesystem::path& file);

}  // namespace strata
