// SPDX-License-Identifier: LGPL-2.1-only
// The tree of the nonblocking collectives (mpi_ext/nbc/level_tree.h) by its slow definition: the levels are played one
// after another on lists of ranks, all ranks at once.
#pragma once

#include <span>
#include <vector>

#include "mpi_ext/nbc/level_tree.h"

namespace strata::check {

/// By rank: what level_tree must say.
std::vector<mpix::LevelTree> play_levels(int ranks, int root, int arity);

/// By rank: what level_tree_over_nodes must say.
std::vector<mpix::LevelTree> play_levels_over_nodes(std::span<const int> node_of_rank, int root, int arity);

bool same_tree(const mpix::LevelTree& a, const mpix::LevelTree& b);

}  // namespace strata::check
