// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/run_start.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.h"
#include "records/rank_placements.h"
#include "sim/launcher/balance_shards.h"
#include "sim/launcher/run.h"

namespace strata::sim {

namespace fs = std::filesystem;

namespace {

std::string hash_of(const std::string& text) { return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size())); }

}  // namespace

void require_program(const Scenario& scenario, const Installation& installation) {
  installation.program(scenario.program, scenario.source);
  std::error_code ignored;
  if (!scenario.folder.empty() && !fs::is_directory(scenario.folder, ignored))
    throw InputError("folder '" + scenario.folder.string() + "'", "is not a folder", "make it, or name another");
}

Manifest manifest_of(const Scenario& scenario, const Machine& machine, const Placements& placements,
                     const RuleFiles& rules) {
  Manifest manifest;
  manifest.study = scenario.study;
  for (const auto& [name, given] : rules) manifest.study.rule_hashes[name] = hash_of(given.text);
  if (!scenario.study.sweeps_ranks()) {
    manifest.study.ranks = static_cast<int>(placements.placements.front().ranks.size());
  }
  manifest.machine = machine.name;
  manifest.machine_hash = machine_hash(machine);
  manifest.versions = versions();
  manifest.seed = scenario.seed;
  return manifest;
}

std::string scenario_hash(const Manifest& manifest, const Placements& placements) {
  std::string text = to_json(manifest.study).dump() + std::to_string(manifest.seed);
  for (const RankPlacement& placement : placements.placements) text += "\n" + format_placement(placement);
  return hash_of(text);
}

RunParts parts_of(const Scenario& scenario, const Machine& machine, const Installation& installation, int shards,
                  const fs::path& balance) {
  if (scenario.study.build.empty()) require_program(scenario, installation);
  const std::vector<Json> points = scenario.study.points();
  const Placements placements = placements_of(scenario, machine, points);
  const Manifest manifest = manifest_of(scenario, machine, placements, read_rule_files(scenario));
  const std::vector<double> costs =
      balance.empty() ? estimated_costs(manifest.study, points) : measured_costs(manifest.study, points, balance);
  RunParts parts{.identity = hash_of(scenario_hash(manifest, placements) + manifest.machine_hash), .points = {}};
  for (const std::vector<int>& shard : balance_shards(shards, costs))
    parts.points.push_back(static_cast<int>(shard.size()));
  return parts;
}

}  // namespace strata::sim
