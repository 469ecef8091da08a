// SPDX-License-Identifier: LGPL-2.1-only
// TreeMatch as its paper has it, from the bottom of the tree: ranks that talk most are put into groups as large as the
// leaves' parents have children, the heaviest pairs first; groups are then the ranks of the level above, and so on up
// to the root. A tree in which vertices of one depth differ has no such sizes: it has no grouping.
//
// The paper tries all groups where there are few, and takes pairs by weight where there are many; here always the
// latter: the heaviest pair of which both are free begins a group, which then takes in the rank that it exchanges most
// with.
//
// Cost: O(edges log edges) a level. Source: Jeannot, Mercier, Tessier, TPDS 2014, Sections 4.1 and 4.2.
#pragma once

#include <optional>
#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/place_tree.h"
#include "mpi_ext/reorder/seats.h"

namespace strata::mpix {

/// The process of each rank; nothing where the tree is uneven. Deterministic; thread-safe.
std::optional<std::vector<int>> grouped(const AffinityGraph& graph, const PlaceTree& tree, const Seats& seats);

}  // namespace strata::mpix
