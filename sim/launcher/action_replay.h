// SPDX-License-Identifier: LGPL-2.1-only
// Converts SMPI's actions (records/foreign/actions.h) to a trace. SMPI's own replayer runs them, as with smpirun
// -replay, and is recorded like any program: collectives become the messages of the algorithms that are used here.
#pragma once

#include <vector>

#include "platforms/machine.h"
#include "platforms/placement.h"
#include "records/foreign/actions.h"
#include "records/trace/trace.h"
#include "sim/launcher/installation.h"

namespace strata::sim {

/// `ranks`: as many as the actions have. `time_limit_s`: of wall time; 0: no limit. Trace::ended is the end of SMPI's
/// replayer. Needs a SignalGuard in scope. Throws SimulationFailed (run.h) if the actions deadlock, InputError, also if
/// SMPI crashes on them.
Trace record_actions(const ActionFiles& actions, const Machine& machine, const std::vector<Binding>& ranks,
                     const Installation& installation, double time_limit_s = 0);

}  // namespace strata::sim
