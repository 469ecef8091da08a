// SPDX-License-Identifier: LGPL-2.1-only
// Bisects a graph into two parts of given sizes, with few bytes between them.
//
// The method is multilevel: vertices that exchange many bytes are merged in pairs until few are left (heavy-edge
// matching); the small graph is divided by growing a part from several starts; and at every size on the way back, the
// division is improved by moving vertices between the parts, the best first, even if a move makes it worse, and keeping
// the best division seen (Fiduccia and Mattheyses). Sizes are met exactly where vertices are single ranks.
//
// Cost: O(edges) a level; the number of levels is logarithmic, and each is about half as large as the one below.
// Sources: C. M. Fiduccia, R. M. Mattheyses, "A linear-time heuristic for improving network partitions", DAC'82; G.
// Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs", SIAM J. Sci.
// Comput. 20(1), 1998; the rating of edges: M. Holtgrewe, P. Sanders, C. Schulz, "Engineering a scalable high quality
// graph partitioner", IPDPS'10.
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"

namespace strata::mpix {

/// How a graph is divided.
enum class Cut {
  kBoth,      // both ways; takes the better one
  kStraight,  // straight_cut.h
  kMerged,    // multilevel
};

/// For each vertex 0 or 1: the best of `tries`. The weight of part 0 is `size0`, that of part 1 the rest; only
/// approximately if vertices weigh more than 1. 0 < size0 < the graph's weight. Sets `cut` to the way in which the
/// parts should be divided.
std::vector<char> bisect(const AffinityGraph& graph, int size0, int tries, Random& random, Cut& cut);

}  // namespace strata::mpix
