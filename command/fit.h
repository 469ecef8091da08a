// SPDX-License-Identifier: LGPL-2.1-only
// alpha and beta of every level of a machine, measured by simulated ping-pongs and fitted: what comes out must be what
// the machine's description says, or the platform plugin does not simulate that machine.
#pragma once

#include <vector>

#include "models/fit.h"
#include "platforms/machine.h"
#include "sim/launcher/installation.h"

namespace strata::command {

/// A ping-pong between two neighbours at each level, sizes from 0 to 4 MiB and some of each of its segments. Throws
/// SimulationFailed, OutputError.
std::vector<models::LevelFit> fit_machine(const Machine& machine, const sim::Installation& installation);

/// The relative difference above which a fit contradicts the machine's description.
inline constexpr double kFitTolerance = 0.01;

/// A table of the fits, and whether all are within the tolerance.
std::string fit_table(const std::vector<models::LevelFit>& fits);
bool fits_agree(const std::vector<models::LevelFit>& fits);

}  // namespace strata::command
