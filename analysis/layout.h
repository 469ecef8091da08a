// SPDX-License-Identifier: LGPL-2.1-only
// Arranges a run's quantities in tables for people: one parameter down the rows, and the others in blocks side by side.
// Within a block, the values that a derived quantity compares are next to each other, followed by it. For a broadcast:
//
//                linear                            binomial
//     elements   native  hierarchical  enhancement native  hierarchical  enhancement
//
// Further metrics, and ratios of all values to a single one, have their own columns, or their own blocks if the metric
// has several columns.
//
// The layout follows only from the axes and the study's plots, so it works for any study.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/table.h"

namespace strata::analysis {

struct Column {
  std::string heading;
  std::string unit;                           // of the values; empty for a ratio
  std::vector<std::optional<double>> values;  // one per row
  std::vector<const RecordedBar*> bars;       // their error bars, or null; empty if the table has no bars
};

struct Block {
  std::string heading;  // empty if there is only one block
  std::vector<Column> columns;
};

struct Layout {
  std::string row_heading;  // empty if no parameter is left for the rows; then there is one row
  std::vector<std::string> rows;
  std::vector<Block> blocks;
};

/// The first layout has the metric with the derived quantities along the axis of the first one, and everything that is
/// along no axis. There is another layout for each further axis of derived quantities. The rows are the x of the
/// study's first plot if possible, otherwise the longest axis. `quantities`: as from derive.h; they own the error bars.
std::vector<Layout> layouts(const Study& study, const std::vector<Table>& quantities);

}  // namespace strata::analysis
