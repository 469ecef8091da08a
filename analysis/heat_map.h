// SPDX-License-Identifier: LGPL-2.1-only
// Draws communication matrices as SVG. Each pair of ranks is a cell, in the sender's row and the receiver's column.
// Cells with more data are darker, on a logarithmic scale; empty cells are not drawn. With many ranks, a cell is the
// sum of several.
#pragma once

#include <string>
#include <vector>

#include "analysis/rank_groups.h"
#include "records/matrix/pattern.h"

namespace strata::analysis {

/// The maximum number of cells per side.
inline constexpr int kMostHeatCells = 512;

/// The positions at which the groups of a level begin, including 0.
struct HeatBoundaries {
  std::string level;
  std::vector<int> starts;
};

struct HeatPanel {
  std::string name;                // the class of its group in the SVG
  std::vector<std::string> lines;  // above the panel, the first line bold
  std::vector<int> position;       // by rank: its row and column
};

struct HeatMaps {
  std::vector<std::string> title;  // the first line bold
  std::string axis;                // meaning of the positions: "rank"
  std::string unit;                // of the numbers, as in console/number.h
  std::vector<HeatBoundaries>
      boundaries;                 // outermost first; draws the first and the last whose lines are not too close
  std::vector<HeatPanel> panels;  // side by side, with a common scale
};

/// The boundaries of groups of ranks at these positions, for the levels whose groups are contiguous there.
std::vector<HeatBoundaries> boundaries_of(const std::vector<RankGroups>& levels, const std::vector<int>& position);

/// The drawing. O(entries + kMostHeatCells^2) per panel.
std::string draw_heat_maps(const Pattern& pattern, const HeatMaps& maps);

}  // namespace strata::analysis
