// SPDX-License-Identifier: LGPL-2.1-only
// SMPI's actions (records/foreign/actions.h) as a trace. SMPI's own replayer runs them, as it would for smpirun
// -replay, and is recorded like any program: collectives become the messages of the algorithms that runs here have.
#pragma once

#include <vector>

#include "platforms/machine.h"
#include "platforms/placement.h"
#include "records/foreign/actions.h"
#include "records/trace/trace.h"
#include "sim/launcher/installation.h"

namespace strata::sim {

/// `ranks`: as many as the actions have. Trace::ended is when SMPI's replayer ends there. Needs a SignalGuard in scope.
/// Throws SimulationFailed (run.h) where the actions deadlock, InputError.
Trace record_actions(const ActionFiles& actions, const Machine& machine, const std::vector<Binding>& ranks,
                     const Installation& installation);

}  // namespace strata::sim
