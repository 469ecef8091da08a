// SPDX-License-Identifier: LGPL-2.1-only
// The reference of a study: one measurement before all others, whose value every point's program is given.
#pragma once

#include "platforms/machine.h"
#include "scenarios/scenario.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/run.h"

namespace strata::sim {

/// The value: given, or measured now, alone, on ranks mapped as the points' are. Their progress threads, where the
/// points have some, run on the ranks' own cores: with one rank a core no others are left. Throws as run_scenario.
double reference_value(const Scenario& scenario, const Machine& machine, const Installation& installation,
                       const RunOptions& options);

}  // namespace strata::sim
