// SPDX-License-Identifier: LGPL-2.1-only
// Maps from the top of the tree: the ranks are divided among the root's children, each part among that child's
// children, and so on, with as few bytes as possible between the parts of every division (partition.h). In a tree only
// this matters: the distance of two ranks depends on where their paths part.
//
// Cost: that of a bisection of all ranks, times the binary logarithm of their number.
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/seats.h"

namespace strata::mpix {

/// Divides ranks among the seats below `v`, of which there are equally many, and sets `process` for each. `graph` is
/// the graph of these ranks, in their order. Each bisection is the best of `tries`.
void divide_below(int v, const AffinityGraph& graph, const std::vector<int>& ranks, const Seats& seats, int tries,
                  Random& random, std::vector<int>& process);

}  // namespace strata::mpix
