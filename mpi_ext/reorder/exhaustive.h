// SPDX-License-Identifier: LGPL-2.1-only
// The best mapping of a few ranks: all are tried, depth first, and what cannot beat the best so far is given up.
//
// Cost: O(ranks!) at worst, about a millisecond for 8.
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/place_tree.h"

namespace strata::mpix {

/// How many ranks are few.
inline constexpr int kFewRanks = 8;

/// Replaces `process`, by rank, where there is one with fewer hop-bytes, by one with the fewest of all.
void try_all(const AffinityGraph& graph, const PlaceTree& tree, std::vector<int>& process);

}  // namespace strata::mpix
