// SPDX-License-Identifier: LGPL-2.1-only
// Partitions a graph into parts of given sizes, with few bytes between them, by repeated bisection (bisection.h).
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/bisection.h"

namespace strata::mpix {

/// The part of each vertex. Part p has exactly sizes[p] vertices, which may be 0. The sizes add up to the number of
/// vertices, each of which weighs 1. Each bisection is the best of `tries`; `cut` says how the first one is made.
std::vector<int> partition(const AffinityGraph& graph, const std::vector<int>& sizes, int tries, Random& random,
                           Cut cut = Cut::kBoth);

/// The vertices of each part, in order.
std::vector<std::vector<int>> members_of(const std::vector<int>& part, const std::vector<int>& sizes);

}  // namespace strata::mpix
