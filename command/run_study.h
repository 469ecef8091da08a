// SPDX-License-Identifier: LGPL-2.1-only
// Runs a scenario by name, for several commands.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "records/record.h"
#include "scenarios/scenario.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/run.h"

namespace strata::command {

/// Loads a scenario from the catalog or a path, with these settings (KEY=VALUE). Throws InputError, also for an unknown
/// model.
Scenario load_study(const std::string& name, const std::vector<std::string>& settings,
                    const sim::Installation& installation);

/// The folder for its results: `out` itself (strata-out/NAME if empty), or a folder in it if there are several
/// scenarios.
std::filesystem::path results_folder(const std::string& name, const std::string& out, bool several);

/// Runs the scenario, and sets `options.command_line` and `options.compilers`: every command builds a scenario's
/// program with the compilers of strata mpi. Throws as sim::run_scenario and make_mpi.
Results run_study(const Scenario& scenario, const std::string& name, const std::vector<std::string>& settings,
                  sim::RunOptions options, const sim::Installation& installation);

}  // namespace strata::command
