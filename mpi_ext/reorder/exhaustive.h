// SPDX-License-Identifier: LGPL-2.1-only
// Finds the best mapping of a few ranks: a depth-first search over all mappings that prunes those that cannot beat the
// best so far.
//
// Cost: O(ranks!) at worst, about a millisecond for 8.
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/place_tree.h"

namespace strata::mpix {

/// The largest number of ranks for which all mappings are tried.
inline constexpr int kFewRanks = 8;

/// Replaces `process`, indexed by rank, by a mapping with the fewest hop-bytes, if that has fewer.
void try_all(const AffinityGraph& graph, const PlaceTree& tree, std::vector<int>& process);

}  // namespace strata::mpix
