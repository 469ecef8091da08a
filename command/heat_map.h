// SPDX-License-Identifier: LGPL-2.1-only
// Communication matrices as SVG: a cell for each pair of ranks, the sender's row and the receiver's column, darker
// where more is sent, on a logarithmic scale; nothing where nothing is. With many ranks a cell is the sum of several.
#pragma once

#include <string>
#include <vector>

#include "command/rank_groups.h"
#include "records/matrix/pattern.h"

namespace strata::command {

/// The most cells of a side.
inline constexpr int kMostHeatCells = 512;

/// Where, in a panel, the groups of a level begin: positions, with 0.
struct HeatBoundaries {
  std::string level;
  std::vector<int> starts;
};

struct HeatPanel {
  std::string name;                // the class of its group in the SVG
  std::vector<std::string> lines;  // above it, the first one bold
  std::vector<int> position;       // by rank: its row and column
};

struct HeatMaps {
  std::vector<std::string> title;  // the first line bold
  std::string axis;                // what positions are: "rank"
  std::string unit;                // of the numbers, as analysis/format.h has it
  std::vector<HeatBoundaries>
      boundaries;                 // outermost first: drawn are the first and the last whose lines are not too close
  std::vector<HeatPanel> panels;  // side by side, on one scale
};

/// Of ranks at these positions, by the objects that they are on: of the levels those whose groups are together there.
std::vector<HeatBoundaries> boundaries_of(const std::vector<RankGroups>& levels, const std::vector<int>& position);

/// The drawing. O(entries + kMostHeatCells^2) a panel.
std::string draw_heat_maps(const Pattern& pattern, const HeatMaps& maps);

}  // namespace strata::command
