// SPDX-License-Identifier: LGPL-2.1-only
// TreeMatch as described in its paper, from the bottom of the tree: ranks that communicate most form groups as large as
// the number of children of the leaves' parents, the heaviest pairs first; the groups are then the ranks of the level
// above, and so on up to the root. If vertices of one depth have different numbers of children, no grouping is
// possible.
//
// The paper tries all groups if there are few, and takes pairs by weight if there are many. Here it is always the
// latter: the heaviest pair of free ranks begins a group, which then repeatedly takes in the rank with which it
// exchanges most.
//
// Cost: O(edges log edges) a level. Source: Jeannot, Mercier, Tessier, TPDS 2014, Sections 4.1 and 4.2.
#pragma once

#include <optional>
#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/place_tree.h"
#include "mpi_ext/reorder/seats.h"

namespace strata::mpix {

/// The process of each rank; empty if the tree is uneven. Deterministic; thread-safe.
std::optional<std::vector<int>> grouped(const AffinityGraph& graph, const PlaceTree& tree, const Seats& seats);

}  // namespace strata::mpix
