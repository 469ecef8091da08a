// SPDX-License-Identifier: LGPL-2.1-only
// A quantity over the sweep: one cell for each combination of its axes' values, empty if the run does not (yet) have
// this point.
//
// Cells are in the order of Study::points(), with the first axis varying slowest. A cell is found by its parameters and
// never by the point's number, so a table does not depend on the order in which points were finished.
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
  std::vector<std::optional<RecordedBar>> bars = {};  // by cell; empty if no cell has an error bar

  /// The cell with these parameters; parameters that are not axes are ignored. Nothing if a parameter is missing or has
  /// a value that its axis does not have.
  std::optional<size_t> cell_of(const Json& parameters) const;
  /// The value of that cell, if there is one.
  std::optional<double> at(const Json& parameters) const;
  /// Its error bar, or null.
  const RecordedBar* bar_at(const Json& parameters) const;
  const RecordedBar* bar_of(size_t cell) const;
  Json parameters_of(size_t cell) const;
  size_t missing() const;
};

/// The axis with this name, or null.
const Axis* find_axis(const std::vector<Axis>& axes, const std::string& name);

/// All combinations of the axes' values, with the first axis varying slowest; a single empty one without axes.
std::vector<Json> combinations(const std::vector<Axis>& axes);

/// The axes whose names are not in `without`, in their order.
std::vector<Axis> axes_without(const std::vector<Axis>& axes, const std::vector<std::string>& without);

/// A metric of the study as recorded; records of other metrics are ignored. A point may be recorded twice (if a run was
/// killed during a point and resumed), but must then have the same value. Throws InputError if the folder has no record
/// of the metric, or if a record belongs to no point of the sweep, has a different unit from the study, or contradicts
/// an earlier one.
Table measured(const Results& results, const Metric& metric);

}  // namespace strata::analysis
