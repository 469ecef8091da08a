// SPDX-License-Identifier: LGPL-2.1-only
// How a run's quantities become tables that people read: one parameter down the rows, the others in blocks side by
// side, and within a block the values that a derived quantity compares next to each other, followed by it. For a
// broadcast:
//
//                linear                            binomial
//     elements   native  hierarchical  enhancement native  hierarchical  enhancement
//
// Further metrics, and ratios to one value of all others, have columns of their own; blocks of their own where
// the metric has several columns.
//
// Follows from the axes and the study's plots alone, for any study.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/table.h"

namespace strata::analysis {

struct Column {
  std::string heading;
  std::string unit;                           // of the values; empty for a ratio
  std::vector<std::optional<double>> values;  // one a row
};

struct Block {
  std::string heading;  // empty where there is one block only
  std::vector<Column> columns;
};

struct Layout {
  std::string row_heading;  // empty if no parameter is left for the rows: then there is one row
  std::vector<std::string> rows;
  std::vector<Block> blocks;
};

/// The metric with the derived quantities along the axis of the first one, and all that is along none; then a layout
/// for each axis that others are along. The rows are the x of the study's first plot where that is possible, or else
/// the longest axis. `quantities` as derive.h gives them.
std::vector<Layout> layouts(const Study& study, const std::vector<Table>& quantities);

}  // namespace strata::analysis
