// SPDX-License-Identifier: LGPL-2.1-only
// A slow implementation of the tree of the nonblocking collectives (mpi_ext/nbc/level_tree.h): it processes the levels
// one after another on lists of ranks, for all ranks at once.
#pragma once

#include <span>
#include <vector>

#include "mpi_ext/nbc/level_tree.h"

namespace strata::check {

/// By rank: the expected result of level_tree.
std::vector<mpix::LevelTree> play_levels(int ranks, int root, int arity);

/// By rank: the expected result of level_tree_over_nodes.
std::vector<mpix::LevelTree> play_levels_over_nodes(std::span<const int> node_of_rank, int root, int arity);

bool same_tree(const mpix::LevelTree& a, const mpix::LevelTree& b);

}  // namespace strata::check
