// SPDX-License-Identifier: LGPL-2.1-only
// Times the cells of a grid (`strata collectives tune` and `evaluate`), several at a time, with progress on stderr.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "collectives/chosen/chosen.h"
#include "collectives/schedules/own.h"
#include "collectives/tuning/cells_file.h"
#include "collectives/tuning/fastest.h"
#include "command/collectives.h"
#include "records/shard.h"

namespace strata::command {

/// The fastest choice of each cell, in the order of the grid, among those that do not consist of other collectives
/// (OpenMpiAlgorithm::has_parts), and the library's own. `known`: cells that need not be timed again, to which finished
/// ones are added; null: none.
std::vector<collectives::CellTimes> timed_cells(const Grid& grid, collectives::CellsFile* known, int jobs);

/// Lets those of Open MPI's choices that do consist of others compete, with the algorithms that `chooser` chooses for
/// their parts. If the library's own choice is one of them, its time becomes that with this chooser, and all choices
/// are timed again.
void add_composed(const Grid& grid, const collectives::Chooser& chooser, std::vector<collectives::CellTimes>& times,
                  int jobs);

/// Times only a shard's part of the cells that `known` does not have, and adds them: the cells of every n-th operation
/// and number of ranks. Returns how many cells the part has.
std::size_t time_shard(const Grid& grid, collectives::CellsFile& known, const Shard& shard, int jobs);

/// What `chooser` chooses for each cell takes, in the order of `cells`; empty: it has too many steps, or no schedule.
std::vector<std::optional<double>> chosen_times(const Grid& grid, const collectives::Chooser& chooser,
                                                const std::vector<collectives::Cell>& cells, const std::string& what,
                                                int jobs);

/// One of Strata's own algorithms.
struct OwnTime {
  std::optional<double> seconds = {};  // empty: the family does not have the operation, or it has too many steps
  std::string algorithm = {};          // the fastest variant: "binomial, segments of 8192 B"
};
/// The fastest variants of a family, by cell of the grid.
std::vector<OwnTime> own_times(const Grid& grid, collectives::OwnFamily family, int jobs);

/// Lines about what was left out because of --steps; empty if nothing was.
std::string left_out_text(const Grid& grid, const std::vector<collectives::CellTimes>& times);

}  // namespace strata::command
