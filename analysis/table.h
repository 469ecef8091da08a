// SPDX-License-Identifier: LGPL-2.1-only
// A quantity over the sweep: one cell a combination of its axes' values, empty where the run has no such point (yet).
//
// Cells lie in the order of Study::points(): the first axis slowest. A cell is found by its parameters, never by the
// number of its record's point, so that a table does not depend on the order in which points were finished.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "records/record.h"

namespace strata::analysis {

struct Table {
  std::string name;   // "time", "enhancement"
  std::string title;  // for axes and headings
  std::string unit;   // "s"; empty for a ratio
  std::vector<Axis> axes;
  std::vector<std::optional<double>> cells;

  /// The cell of these parameters; others than the axes' are ignored. Nothing where a parameter is missing or has a
  /// value that its axis does not.
  std::optional<size_t> cell_of(const Json& parameters) const;
  /// The value there, if there is one.
  std::optional<double> at(const Json& parameters) const;
  Json parameters_of(size_t cell) const;
  size_t missing() const;
};

/// The axis of that name, or null.
const Axis* find_axis(const std::vector<Axis>& axes, const std::string& name);

/// Every combination of the axes' values, the first axis slowest; one empty one without an axis.
std::vector<Json> combinations(const std::vector<Axis>& axes);

/// The axes whose names are not in `without`, in their order.
std::vector<Axis> axes_without(const std::vector<Axis>& axes, const std::vector<std::string>& without);

/// A metric of the study as it was recorded; records of others are left out. A point that was recorded twice (a run
/// that was killed in the middle of a point, then resumed) must have the same value twice. Throws InputError where the
/// folder has no record of the metric, or a record is of no point of the sweep, has another unit than the study says,
/// or contradicts an earlier one.
Table measured(const Results& results, const Metric& metric);

}  // namespace strata::analysis
