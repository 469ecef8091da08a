// SPDX-License-Identifier: LGPL-2.1-only
// The reference of a study: one measurement before all others, whose value is passed to every point's program.
#pragma once

#include "platforms/machine.h"
#include "scenarios/rule_files.h"
#include "scenarios/scenario.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/run.h"

namespace strata::sim {

/// The value: given, or measured now, alone, on ranks mapped like those of the points. If the points have progress
/// threads, those of the reference run on the ranks' own cores, because with one rank per core no others are left.
/// Throws as run_scenario.
double reference_value(const Scenario& scenario, const Machine& machine, const Installation& installation,
                       const RuleFiles& rules, const RunOptions& options);

}  // namespace strata::sim
