// SPDX-License-Identifier: LGPL-2.1-only
// Compares a run with other runs: what has changed on another machine, with another mapping, or with another version of
// a program?
//
// The comparison is itself a result set with one more axis, so it uses the same tables, plots and documents. Points
// belong together if all their parameters are equal.
#pragma once

#include <vector>

#include "records/record.h"

namespace strata::analysis {

inline constexpr const char* kSideAxis = "result set";  // a sweep's axes have no blanks in their names
inline constexpr const char* kBaseSide = "base";
inline constexpr const char* kThisSide = "this";
inline constexpr const char* kBaseOverThis = "base / this";  // the derived quantity: above 1 if this run is faster

/// `ours` beside the union of `bases`. It has the metric over our axes, limited to values that a base has, and the
/// side; our derived quantities; and base / this. Its plots are base / this over the x of our first plot, and our plots
/// of derived quantities with a line for each side. Claims and models are left out, because the runs' own reports judge
/// them. Throws InputError, naming the base's folder, if a base has another metric, unit or parameters, if there are no
/// common points, or if two bases have different values at a point; otherwise as measured().
Results compare(const Results& ours, const std::vector<Results>& bases);

}  // namespace strata::analysis
