// SPDX-License-Identifier: LGPL-2.1-only
// The last step: pairs of ranks change places as long as hop-bytes fall, the true ones of the whole tree.
//
// A rank is tried with those who are near one of its peers: from there it would have less far to that one. In a small
// tree it is tried with all. After the first round only those are tried again whose peers have moved; in a small tree,
// when these find no pair, all once more.
//
// Cost: a round is O(entries * kNear * mean peers), and most pairs are ruled out by a bound before anything is added
// up.
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/place_tree.h"
#include "mpi_ext/reorder/seats.h"

namespace strata::mpix {

/// Improves `process`, by rank; its hop-bytes never grow.
void exchange(const AffinityGraph& graph, const PlaceTree& tree, const Seats& seats, std::vector<int>& process);

/// The hop-bytes of a graph whose edges are in both rows.
double hop_bytes(const AffinityGraph& graph, const PlaceTree& tree, const std::vector<int>& process);

}  // namespace strata::mpix
