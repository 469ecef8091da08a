// SPDX-License-Identifier: LGPL-2.1-only
// A graph into parts of given sizes with few bytes between them: bisected again and again (bisection.h).
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/bisection.h"

namespace strata::mpix {

/// By vertex, its part. Part p has exactly sizes[p] vertices, which may be 0; together they are the graph's, each of
/// which weighs 1. The best of `tries` at each bisection, of which `cut` says how the first is made.
std::vector<int> partition(const AffinityGraph& graph, const std::vector<int>& sizes, int tries, Random& random,
                           Cut cut = Cut::kBoth);

/// By part, its vertices in order.
std::vector<std::vector<int>> members_of(const std::vector<int>& part, const std::vector<int>& sizes);

}  // namespace strata::mpix
