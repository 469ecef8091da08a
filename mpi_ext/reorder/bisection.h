// SPDX-License-Identifier: LGPL-2.1-only
// A graph into two parts of given sizes with few bytes between them.
//
// Multilevel: vertices that exchange much are merged in pairs until few are left (heavy-edge matching); the small graph
// is divided by growing a part from several starts; and the way back up improves the division at every size by moving
// vertices to and fro, the best first, downhill too, and keeping the best that was seen (Fiduccia and Mattheyses).
// Sizes are met exactly where vertices are single ranks.
//
// Cost: O(edges) a level, of which there are logarithmically many and each about half as large as the one
// below. Sources: C. M. Fiduccia, R. M. Mattheyses, "A linear-time heuristic for improving network partitions", DAC'82;
// G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs", SIAM J. Sci.
// Comput. 20(1), 1998; the rating of edges: M. Holtgrewe, P. Sanders, C. Schulz, "Engineering a scalable high quality
// graph partitioner", IPDPS'10.
#pragma once

#include <vector>

#include "mpi_ext/reorder/affinity_graph.h"

namespace strata::mpix {

/// How a graph is divided.
enum class Cut {
  kBoth,      // in both ways, and the better one is taken
  kStraight,  // straight_cut.h
  kMerged,    // multilevel
};

/// By vertex, 0 or 1: the best of `tries`. The parts' weights are `size0` and the rest; of a graph whose vertices weigh
/// more than 1 only nearly so. 0 < size0 < the graph's weight. Sets `cut` to how the parts should be divided.
std::vector<char> bisect(const AffinityGraph& graph, int size0, int tries, Random& random, Cut& cut);

}  // namespace strata::mpix
