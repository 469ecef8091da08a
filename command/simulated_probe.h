// SPDX-License-Identifier: LGPL-2.1-only
// The probe of strata probe under simulation: what it measures on a machine that strata calibrate made.
#pragma once

#include <filesystem>

#include "calibration/measurement.h"
#include "calibration/probe/plan.h"
#include "platforms/machine.h"
#include "sim/launcher/installation.h"

namespace strata::command {

/// Builds the probe with the compiler of `strata mpi`, runs it on the machine, whose file is `yaml`, and reads its
/// samples; adds rates of the memory's copies and combinations, which the probe has no time for under simulation, from
/// the program `memory`. Throws InputError where it cannot be built, SimulationFailed, OutputError, Interrupted.
calibration::Reading simulate_probe(const Machine& machine, const std::filesystem::path& yaml,
                                    const calibration::ProbeSettings& settings, const sim::Installation& installation);

}  // namespace strata::command
