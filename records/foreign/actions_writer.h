// SPDX-License-Identifier: LGPL-2.1-only
// A trace as actions of SMPI (actions.h), which `smpirun -replay FILE` runs: FILE has the names of files with the
// actions of a rank each, in the folder FILE_files.
//
// Messages are actions of their own, those of collectives too. Tags number the messages of each pair of ranks, so that
// each receive gets the message that it got. Computation is in flop.
#pragma once

#include <filesystem>
#include <string>

#include "platforms/machine.h"
#include "records/trace/trace.h"

namespace strata {

/// As write_goal (goal_writer.h). The list appears last.
void write_actions(const Trace& trace, const Machine& machine, const std::string& from,
                   const std::filesystem::path& file);

}  // namespace strata
