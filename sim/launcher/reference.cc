// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/reference.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "console/progress.h"
#include "sim/launcher/failure.h"
#include "sim/launcher/placements.h"

namespace strata::sim {

namespace fs = std::filesystem;

double reference_value(const Scenario& scenario, const Machine& machine, const Installation& installation,
                       const RuleFiles& rules, const RunOptions& options) {
  const Reference& r = *scenario.study.reference;
  if (r.given) return *r.given;
  RankPlacement placement{map_ranks(scenario, machine, scenario.study.allocation, r.ranks, scenario.mapping)};
  if (scenario.study.has_progress_threads()) placement.progress = placement.ranks;
  const ScratchFolder scratch;
  const Stage stage =
      prepare_stage(machine, placement, scratch.path(), installation, scenario.program, scenario.time_limit_s);
  Study study = scenario.study;
  study.ranks = static_cast<int>(placement.ranks.size());
  study.arguments.insert(study.arguments.end(), r.arguments.begin(), r.arguments.end());
  Simulation s{.arguments = study.arguments_at(Json::object()),
               .folder = scenario.folder,
               .shim = study.shim,
               .mpi = study.mpi,
               .output = fs::absolute(options.out) / "output" / "reference"};
  if (const auto known = rules.find(study.mpi_rules); known != rules.end()) s.rules = known->second;
  std::vector<Metric> wanted = study.metrics();
  std::erase_if(wanted, [&](const Metric& m) { return m.name != r.metric; });
  if (!options.quiet) {
    console::tell(fmt::format("{}: reference run for --{} on {} ranks\n", scenario.study.scenario, r.option,
                              placement.ranks.size()));
  }
  std::optional<double> value;
  Failure failure;
  run_simulations({stage}, {s}, 1, [&](size_t, const Outcome& outcome) {
    const fs::path output = options.out / "output" / "reference";
    if (!outcome.failure.empty()) failure = failure_of("reference", outcome, output);
    if (!failure.text.empty()) return true;
    const Measured found = measured(wanted, outcome);
    if (!found.failure.empty()) failure = failure_of("reference", found, output);
    for (const Json& line : found.lines) {
      require_measurement(line, "reference");
      if (!value && line["metric"] == r.metric) value = line["value"].get<double>();
    }
    return true;
  });
  failure.raise(scenario.study.scenario);
  if (!value) throw SimulationFailed("reference: the program printed no '" + r.metric + "'");
  return *value;
}

}  // namespace strata::sim
