// SPDX-License-Identifier: LGPL-2.1-only
// Draws how much slower calls are than with the best algorithm, as SVG: a panel for each file of rules, in it a row for
// each operation and number of ranks and a column for each size. Darker cells lose more; a cell within 5 % of the best
// is white, a faster one is blue, one whose time is not known is crossed out. Each cell has its number as a tooltip.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectives/tuning/cell.h"

namespace strata::collectives {

struct RegretPanel {
  std::string name;                           // "library", "rules.conf"
  std::vector<std::optional<double>> ratios;  // by cell: the time as a multiple of the best algorithm's
};

std::string draw_regret(const std::string& title, const std::vector<Cell>& cells,
                        const std::vector<RegretPanel>& panels);

}  // namespace strata::collectives
