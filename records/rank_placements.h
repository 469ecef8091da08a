// SPDX-License-Identifier: LGPL-2.1-only
// Where the ranks of a point ran, and their progress threads. There is one placement for a whole run, or one for each
// combination of the axes that place ranks.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json.h"
#include "platforms/placement.h"

namespace strata {

struct Results;
struct Study;

struct RankPlacement {
  std::vector<Binding> ranks;
  std::vector<Binding> progress = {};  // of the progress threads, by rank; empty: no progress threads
};

/// The file of a point's bindings, relative to the results folder: bindings.txt or, if sweep parameters place ranks, a
/// file named after their values.
std::filesystem::path bindings_file(const Study& study, const Json& point);

/// The contents of that file: a bindings file (platforms/placement.h) with the ranks, followed by their progress
/// threads, whose numbers continue those of the ranks.
std::string format_placement(const RankPlacement& placement);

/// The placement of a point (a record's parameters). Throws InputError like read_bindings.
RankPlacement read_placement(const Results& results, const Json& point, const Topology& topology);

}  // namespace strata
