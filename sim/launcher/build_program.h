// SPDX-License-Identifier: LGPL-2.1-only
// Making the program of a scenario that says how.
#pragma once

#include <filesystem>

#include "scenarios/scenario.h"

namespace strata::sim {

/// Runs the scenario's build command in the scenario file's folder, with the programs of the folder `compilers`, unless
/// it is empty, first on the PATH. Its output goes into the files
/// kBuildOutput + ".out" and ".err" of the results folder `out`, which has kOutputFolder. Throws InputError where the
/// command fails, with its last line; Interrupted, OutputError.
void build_program(const Scenario& scenario, const std::filesystem::path& compilers, const std::filesystem::path& out);

}  // namespace strata::sim
