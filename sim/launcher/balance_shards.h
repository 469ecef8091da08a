// SPDX-License-Identifier: LGPL-2.1-only
// Distributes the points of a sweep over shards so that these take similar time. For example, of points with 16, 32, 64
// and 16 ranks, the first of two shards gets the third, the most costly, and the second gets the others.
//
// The cost of a point is an estimate, or its time in an earlier run. The most costly points come first, and each goes
// to the shard with the least cost so far (Graham's "longest processing time first": at most 4/3 of the best time for
// the slowest shard); ties go by number. So every machine computes the same shards.
#pragma once

#include <filesystem>
#include <vector>

#include "records/record.h"
#include "records/shard.h"

namespace strata::sim {

/// For each point of the study: ranks * (1 + the sum of its other numeric parameters, each divided by its largest value
/// in the sweep), without unit. Simulation costs depend mostly on the number of ranks; the effect of a size depends on
/// the program, so no parameter more than doubles a cost. Figures of the machine are ignored.
std::vector<double> estimated_costs(const Study& study, const std::vector<Json>& points);

/// For each point: the seconds of the point with the same parameters in the results folder `earlier`. Points that it
/// does not have get the estimate, scaled to seconds by those that it has. Throws InputError if it has none of the
/// points.
std::vector<double> measured_costs(const Study& study, const std::vector<Json>& points,
                                   const std::filesystem::path& earlier);

/// The numbers of each shard's points, ascending, by shard.
std::vector<std::vector<int>> balance_shards(int shards, const std::vector<double>& costs);

/// The points of one shard.
std::vector<int> points_of(const Shard& shard, const std::vector<double>& costs);

}  // namespace strata::sim
