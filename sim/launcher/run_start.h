// SPDX-License-Identifier: LGPL-2.1-only
// The start of a run, before its first point: checks its program, and makes its manifest and its parts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/record.h"
#include "scenarios/rule_files.h"
#include "scenarios/scenario.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/placements.h"

namespace strata::sim {

/// Throws InputError if the program or the folder in which it runs is missing.
void require_program(const Scenario& scenario, const Installation& installation);

/// The manifest, without command line, times, reference and shard.
Manifest manifest_of(const Scenario& scenario, const Machine& machine, const Placements& placements,
                     const RuleFiles& rules);

/// A hash of everything on which the results depend besides machine, program and versions.
std::string scenario_hash(const Manifest& manifest, const Placements& placements);

/// A run in shards.
struct RunParts {
  std::string identity;     // a hash of the scenario and its machine
  std::vector<int> points;  // the number of points of each shard
};

/// `balance` as in RunOptions. Throws InputError, also where the program is missing.
RunParts parts_of(const Scenario& scenario, const Machine& machine, const Installation& installation, int shards,
                  const std::filesystem::path& balance);

}  // namespace strata::sim
