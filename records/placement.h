// SPDX-License-Identifier: LGPL-2.1-only
// Where the ranks of a point ran, and their progress threads: one placement for a whole run, or one for each
// combination of the axes that place ranks.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/placement.h"
#include "records/json.h"

namespace strata {

struct Results;
struct Study;

struct RankPlacement {
  std::vector<Binding> ranks;
  std::vector<Binding> progress = {};  // by rank, of their threads; empty: there are none
};

/// The file of a point's bindings in a results folder, relative to it: bindings.txt, or, where parameters of the sweep
/// place ranks, one named by their values.
std::filesystem::path bindings_file(const Study& study, const Json& point);

/// What stands in such a file: a bindings file (platforms/placement.h) of the ranks, then of their progress threads,
/// which go on in the numbers of the ranks.
std::string format_placement(const RankPlacement& placement);

/// The placement of a point (a record's parameters). Throws InputError as read_bindings.
RankPlacement read_placement(const Results& results, const Json& point, const Topology& topology);

}  // namespace strata
