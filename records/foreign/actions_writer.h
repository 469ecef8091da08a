// SPDX-License-Identifier: LGPL-2.1-only
// Writes a trace as SMPI actions (actions.h) for `smpirun -replay FILE`. FILE has the names of the ranks' files in the
// folder FILE_files.
//
// Messages are separate actions, including those of collectives. Each message of a pair of ranks has its own tag, so
// that each receive gets the same message as in the trace. Computation is in flop.
#pragma once

#include <filesystem>
#include <string>

#include "platforms/machine.h"
#include "records/trace/trace.h"

namespace strata {

/// As write_goal (goal_writer.h). The list of files appears last.
double write_actions(const Trace& trace, const Machine& machine, const std::string& from,
                     const std::filesystem::path& file);

}  // namespace strata
