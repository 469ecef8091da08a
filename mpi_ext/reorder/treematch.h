// SPDX-License-Identifier: LGPL-2.1-only
// Mapping by affinity on a tree. The idea is TreeMatch's: ranks that communicate most are put together, level by level
// of the machine's tree, so that the remaining traffic between groups crosses as few edges as possible. The paper's
// TreeMatch groups from the leaves upwards, the heaviest pairs first (grouping.h). Going from the top down, where a
// mistake costs most, with a multilevel division of exact sizes at each level (division.h), is usually better. Both are
// starting points of the same search: neighbours are divided again together (redivision.h), and pairs of ranks swap
// places (exchange.h). For very few ranks, all mappings are tried (exhaustive.h). The existing order is a starting
// point too, so the result is never worse.
//
// All data is sparse: for each rank the kMostPeers heaviest peers count, and the rest is treated as a background that
// is the same between all ranks (affinity_graph.h). Time is O(entries + edges log ranks) a level; memory is some 100
// bytes an edge.
//
// Source: E. Jeannot, G. Mercier, F. Tessier, "Process Placement in Multicore Clusters: Algorithmic Issues and
// Practical Techniques", IEEE TPDS 25(4), 2014.
#pragma once

#include <vector>

#include "mpi_ext/reorder/place_tree.h"
#include "records/matrix/pattern.h"

namespace strata::mpix {

/// new_rank, indexed by old rank (mapping.h). The pattern has as many ranks as the tree has processes. Deterministic;
/// thread-safe.
std::vector<int> treematch(const Pattern& pattern, const PlaceTree& tree);

}  // namespace strata::mpix
