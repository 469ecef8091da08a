// SPDX-License-Identifier: LGPL-2.1-only
// Deals the points of a sweep to shards so that these take similar time. For example points of 16, 32, 64 and 16 ranks
// to two shards: the third, the most costly, goes to the first shard, the others to the second.
//
// The cost of a point is an estimate, or what it took in an earlier run. The most costly point comes first, each goes
// to the shard with the least cost so far (Graham's "longest processing time first": at most 4/3 of the best time for
// the slowest shard); equal ones go by number. So every machine comes to the same shards.
#pragma once

#include <filesystem>
#include <vector>

#include "records/record.h"
#include "records/shard.h"

namespace strata::sim {

/// By point of the study: ranks * (1 + the sum of its other numeric parameters, each divided by its largest value in
/// the sweep), without unit. Ranks are what simulations cost most for; how much a size matters depends on the program,
/// so no parameter more than doubles a cost. Figures of the machine do not count.
std::vector<double> estimated_costs(const Study& study, const std::vector<Json>& points);

/// By point: the seconds of the point with the same parameters in the results folder `earlier`; for points that it does
/// not have, the estimate, in seconds at the ratio of those that it has. Throws InputError where it has none of them.
std::vector<double> measured_costs(const Study& study, const std::vector<Json>& points,
                                   const std::filesystem::path& earlier);

/// The numbers of each shard's points, ascending, by shard.
std::vector<std::vector<int>> deal(int shards, const std::vector<double>& costs);

/// Those of one shard.
std::vector<int> points_of(const Shard& shard, const std::vector<double>& costs);

}  // namespace strata::sim
