// SPDX-License-Identifier: LGPL-2.1-only
// Mapping by affinity on a tree. The idea is TreeMatch's: those who talk most are put together level by level of the
// machine's tree, so that what remains between groups crosses as few edges as it can. The paper's TreeMatch groups
// leaves upwards, the heaviest pairs first (grouping.h); going through the levels from the top, where a mistake costs
// most, each by a multilevel division with exact sizes (division.h), is mostly better. Both are starts of the same
// search: neighbours are divided again together (redivision.h), and pairs of ranks change places (exchange.h). Of very
// few ranks all mappings are tried (exhaustive.h). The order that is there is a start too, so that the result is never
// worse.
//
// All of it is sparse: of each rank the kMostPeers heaviest peers count, and what is left out is taken for a background
// that is the same between all (affinity_graph.h). O(entries + edges log ranks) time a level; some 100 bytes an edge.
//
// Source: E. Jeannot, G. Mercier, F. Tessier, "Process Placement in Multicore Clusters: Algorithmic Issues and
// Practical Techniques", IEEE TPDS 25(4), 2014.
#pragma once

#include <vector>

#include "mpi_ext/reorder/place_tree.h"
#include "records/matrix/pattern.h"

namespace strata::mpix {

/// new_rank, by old rank (mapping.h). The pattern is of as many ranks as the tree has processes. Deterministic;
/// thread-safe.
std::vector<int> treematch(const Pattern& pattern, const PlaceTree& tree);

}  // namespace strata::mpix
