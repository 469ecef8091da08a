// SPDX-License-Identifier: LGPL-2.1-only
// Improves a division locally: takes a few of a vertex's children, those that exchange most, divides their ranks among
// them again, and keeps the result if it is better. Bisection never weighs most
// neighbours against each other: those that an earlier cut has put into different halves.
//
// The children of one vertex are equally far from all that is outside, so that only what is between them counts, and
// then what is below each. Each child is once the first of such a group, and again while its surroundings change, for a
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

/// Improves `process`, by rank; its hop-bytes never grow.
void redivide(const AffinityGraph& graph, const PlaceTree& tree, const Seats& seats, Random& random,
              std::vector<int>& process);

}  // namespace strata::mpix
