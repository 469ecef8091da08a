// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/placements.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platforms/allocation.h"
#include "platforms/progress_placement.h"
#include "sim/launcher/parameters_text.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

RankPlacement place_point(const Scenario& scenario, const Machine& machine, const Json& parameters) {
  const Topology& t = *machine.topology;
  const int ranks = parameters.value(kRanksAxis, scenario.study.ranks);
  const std::string allocation = parameters.value(kAllocationAxis, scenario.study.allocation);
  PlacementOptions mapping = scenario.mapping;
  if (parameters.contains(kMapByAxis)) mapping.map_by = MapBy(parameters[kMapByAxis].get<std::string>());
  RankPlacement placement{scenario.bindings.empty() ? map_ranks(scenario, machine, allocation, ranks, mapping)
                                                    : read_bindings(scenario.bindings, t, ranks)};
  const std::string policy =
      parameters.contains(kProgressAxis) ? text_of(parameters[kProgressAxis]) : scenario.study.progress;
  if (!policy.empty()) placement.progress = place_progress(t, placement.ranks, policy, kProgressAxis);
  return placement;
}

}  // namespace

std::vector<Binding> map_ranks(const Scenario& scenario, const Machine& machine, const std::string& allocation,
                               int ranks, PlacementOptions mapping) {
  mapping.seed = scenario.seed;
  return place_job(machine, allocation, ranks, mapping, kAllocationAxis);
}

Placements placements_of(const Scenario& scenario, const Machine& machine, const std::vector<Json>& points) {
  Placements all;
  for (const Json& point : points) {
    const fs::path file = bindings_file(scenario.study, point);
    const auto at = std::find(all.files.begin(), all.files.end(), file);
    all.of_point.push_back(static_cast<size_t>(at - all.files.begin()));
    if (at != all.files.end()) continue;
    all.files.push_back(file);
    all.placements.push_back(place_point(scenario, machine, scenario.study.parameters_of(point)));
  }
  return all;
}

}  // namespace strata::sim
