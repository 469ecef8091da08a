// SPDX-License-Identifier: LGPL-2.1-only
// From the top of the tree: the ranks are divided among the root's children, each part among the children of its own,
// and so on, with as little as possible between the parts of every division (partition.h). In a tree that is all that
// counts: how far two ranks are from each other is settled where their ways part.
//
// Cost: that of a bisection of all ranks, times the binary logarithm of their number.
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/seats.h"

namespace strata::mpix {

/// Divides ranks among the seats below `v`, which are as many: sets `process` of each. `graph` is that of these ranks,
/// in their order. The best of `tries` at each bisection.
void divide_below(int v, const AffinityGraph& graph, const std::vector<int>& ranks, const Seats& seats, int tries,
                  Random& random, std::vector<int>& process);

}  // namespace strata::mpix
