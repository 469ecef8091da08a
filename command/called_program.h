// SPDX-License-Identifier: LGPL-2.1-only
// How long the collectives of a program take, by who chooses their algorithms (`strata collectives tune --trace` and
// `evaluate --trace`). For example:
//
//   app: 1010 calls of collectives on 64 ranks
//     library            12.34 ms
//     rules              9.872 ms   20 % less
//
// The time of each call is that of its ranks beginning together, with no other messages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "command/collectives.h"

namespace strata::command {

/// Names with the times of calls by cell of the grid, s; empty: not known. The first one is compared with.
using TimesByName = std::vector<std::pair<std::string, std::vector<std::optional<double>>>>;

/// The grid has a program.
std::string program_text(const Grid& grid, const TimesByName& times);
/// null if the grid has no program.
Json program_json(const Grid& grid, const TimesByName& times);

/// The column of a table with the number of calls of a cell, or its head if `cell` is empty; "" without a program.
std::string calls_column(const Grid& grid, std::optional<std::size_t> cell);
/// null if the grid has no program.
Json calls_json(const Grid& grid, std::size_t cell);

}  // namespace strata::command
