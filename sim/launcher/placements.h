// SPDX-License-Identifier: LGPL-2.1-only
// The placement of the ranks of each point: the placements of a study, and the one that each point uses.
//
//   bindings/ranks=62.txt, bindings/ranks=63.txt     for `ranks: [62, 63]`; points that differ otherwise share one
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/rank_placements.h"
#include "scenarios/scenario.h"

namespace strata::sim {

struct Placements {
  std::vector<std::filesystem::path> files;  // in the results folder
  std::vector<RankPlacement> placements;     // the contents of the files
  std::vector<size_t> of_point;              // indexes of both

  const RankPlacement& at(int point) const { return placements[of_point[point]]; }
};

/// Throws InputError.
Placements placements_of(const Scenario& scenario, const Machine& machine, const std::vector<Json>& points);

/// Places ranks by the scenario's mapping on the nodes of an allocation (platforms/allocation.h); 0 ranks: one for each
/// core. Throws InputError.
std::vector<Binding> map_ranks(const Scenario& scenario, const Machine& machine, const std::string& allocation,
                               int ranks, PlacementOptions mapping);

}  // namespace strata::sim
