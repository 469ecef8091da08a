// SPDX-License-Identifier: LGPL-2.1-only
// Runs the probe of strata probe in simulation, on a machine that strata calibrate has made.
#pragma once

#include <filesystem>

#include "calibration/measured_number.h"
#include "calibration/probe/probe_plan.h"
#include "platforms/machine.h"
#include "sim/launcher/installation.h"

namespace strata::command {

/// Builds the probe with the compiler of `strata mpi`, runs it on the machine, whose file is `yaml`, and reads its
/// samples. Computation takes no time in the simulated probe, so the rates of the memory's copies and combinations come
/// from the program `memory` instead. Throws InputError if the probe cannot be built, SimulationFailed, OutputError,
/// Interrupted.
calibration::Reading simulate_probe(const Machine& machine, const std::filesystem::path& yaml,
                                    const calibration::ProbeSettings& settings, const sim::Installation& installation);

}  // namespace strata::command
