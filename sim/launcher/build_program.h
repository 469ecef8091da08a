// SPDX-License-Identifier: LGPL-2.1-only
// Builds the program of a scenario that has a build command.
#pragma once

#include <filesystem>

#include "scenarios/scenario.h"

namespace strata::sim {

/// Runs the scenario's build command in the folder of the scenario file. The folder `compilers`, unless it is empty,
/// comes first on the PATH. The output goes into the files kBuildOutput + ".out" and ".err" of the results folder
/// `out`, which has kOutputFolder. Throws InputError if the command fails, with its last line; Interrupted,
/// OutputError.
void build_program(const Scenario& scenario, const std::filesystem::path& compilers, const std::filesystem::path& out);

}  // namespace strata::sim
