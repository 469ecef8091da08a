// SPDX-License-Identifier: LGPL-2.1-only
// Comparison of two result sets: what changed between a run and the one that it is held against (another machine,
// another mapping, another version of a program).
//
// The comparison is a result set itself, with one axis more, and goes through the same tables, plots and documents.
// Idea: points belong together where all their parameters are equal.
#pragma once

#include <vector>

#include "records/record.h"

namespace strata::analysis {

inline constexpr const char* kSideAxis = "result set";  // no axis of a sweep has a blank in its name
inline constexpr const char* kBaseSide = "base";
inline constexpr const char* kThisSide = "this";
inline constexpr const char* kBaseOverThis = "base / this";  // the derived quantity: above 1 where this run is faster

/// `ours` beside the union of `bases`: the metric over our axes, as far as a base has their values, and the side;
/// our derived quantities, and base / this. Plots: base / this over the x of our first plot, then our plots of derived
/// quantities with a line for either side. Claims and models are left out: they are judged in the runs' own reports.
/// Throws InputError, naming the base's folder: another metric or unit, other parameters, no point in common, or a
/// point that two bases have with different values; or as measured() does.
Results compare(const Results& ours, const std::vector<Results>& bases);

}  // namespace strata::analysis
