// SPDX-License-Identifier: LGPL-2.1-only
// Records a timeline of the simulation where STRATA_TIMELINE names a file for it.
#pragma once

#include <simgrid/s4u.hpp>

#include "platforms/machine.h"

namespace strata::sim {

/// Leaves word for the MPI code in the root zone (records/exchange/timeline_recorder.h), and writes the trace
/// (timeline.h) when the simulation ends, by a deadlock and exit() too. Which ranks are progress threads the file says
/// that STRATA_PLACEMENT names; without one none is. Nothing is done where STRATA_TIMELINE is not set. `machine` must
/// live as long as the process. Throws InputError where one of the files cannot be opened. Where the trace cannot be
/// written (a full disk) it is removed, and the process ends with status 2 and a line "@strata platform ..." on stderr.
void record_timeline(const Machine& machine, const simgrid::s4u::Engine& engine);

}  // namespace strata::sim
