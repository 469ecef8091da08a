// SPDX-License-Identifier: LGPL-2.1-only
// The last step: pairs of ranks swap places as long as this reduces the hop-bytes, computed exactly over the whole
// tree.
//
// A rank is tried against the ranks near each of its peers, because from there that peer would be closer. In a small
// tree it is tried against all. After the first round, only ranks whose peers have moved are tried again; in a small
// tree, if these find no pair, all ranks are tried once more.
//
// Cost: a round is O(entries * kNear * mean peers). A bound excludes most pairs before any sum is computed.
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/place_tree.h"
#include "mpi_ext/reorder/seats.h"

namespace strata::mpix {

/// Improves `process`, indexed by rank. Hop-bytes never grow.
void exchange(const AffinityGraph& graph, const PlaceTree& tree, const Seats& seats, std::vector<int>& process);

/// The hop-bytes of a graph whose edges are in both rows.
double hop_bytes(const AffinityGraph& graph, const PlaceTree& tree, const std::vector<int>& process);

}  // namespace strata::mpix
