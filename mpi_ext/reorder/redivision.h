// SPDX-License-Identifier: LGPL-2.1-only
// Improves a division locally: takes a few of a vertex's children, those that exchange most, divides their ranks among
// them again, and keeps the result if it is better. Bisection alone never compares most neighbours, because an earlier
// cut has put them into different halves.
//
// The children of one vertex are equally far from everything outside, so only the bytes between them count, and then
// the levels below each. Each child is the first of such a group once, and again while its surroundings change, for a
// few rounds.
//
// Cost: about that of a division of all ranks for each level of the tree. The idea is that of large neighbourhood
// search: P. Shaw, "Using constraint programming and local search methods to solve vehicle routing problems", CP'98.
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/place_tree.h"
#include "mpi_ext/reorder/seats.h"

namespace strata::mpix {

/// Improves `process`, indexed by rank. Hop-bytes never grow.
void redivide(const AffinityGraph& graph, const PlaceTree& tree, const Seats& seats, Random& random,
              std::vector<int>& process);

}  // namespace strata::mpix
