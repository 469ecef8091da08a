// SPDX-License-Identifier: LGPL-2.1-only
// Running a scenario by its name, for the commands that do.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "records/record.h"
#include "scenarios/scenario.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/run.h"

namespace strata::command {

/// A scenario of the catalog, or of a path, with these settings (KEY=VALUE). Throws InputError, also where it asks for
/// an unknown model.
Scenario load_study(const std::string& name, const std::vector<std::string>& settings,
                    const sim::Installation& installation);

/// Where its results go: `out` itself (strata-out/NAME where that is empty), or a folder in it where there are several.
std::filesystem::path results_folder(const std::string& name, const std::string& out, bool several);

/// Runs it. `options.command_line` is set here. Throws as sim::run_scenario.
Results run_study(const Scenario& scenario, const std::string& name, const std::vector<std::string>& settings,
                  sim::RunOptions options, const sim::Installation& installation);

}  // namespace strata::command
