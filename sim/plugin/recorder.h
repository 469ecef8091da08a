// SPDX-License-Identifier: LGPL-2.1-only
// Records a timeline of the simulation if STRATA_TIMELINE names a file for it.
#pragma once

#include <simgrid/s4u.hpp>

#include "platforms/machine.h"

namespace strata::sim {

/// Registers the recorder for the MPI code in the root zone (records/exchange/timeline_recorder.h), and writes the
/// trace (timeline.h) when the simulation ends, also after a deadlock or exit(). The file named by STRATA_PLACEMENT
/// says which ranks are progress threads; without it there are no progress threads. Does nothing if STRATA_TIMELINE is
/// not set. `machine` must live as long as the process. Throws InputError if one of the files cannot be opened. If the
/// trace cannot be written (a full disk), it is removed, and the process ends with status 2 and a line "@strata
/// platform ..." on stderr.
void record_timeline(const Machine& machine, const simgrid::s4u::Engine& engine);

}  // namespace strata::sim
