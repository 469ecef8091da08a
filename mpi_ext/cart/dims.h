// SPDX-License-Identifier: LGPL-2.1-only
// The dimensions of a mesh, chosen with the nodes in mind: what MPI_Dims_create cannot know (EuroMPI'18, Section 1 and
// 2.1: for 576 processes, 36 a node, 12x8x6 with node blocks of 6x2x3 is better than the most cubic 9x8x8 with 9x2x2).
#pragma once

#include <vector>

namespace strata::mpix {

/// Fills in the zeros of `dims` (its other entries, above 0, are kept), so that the product is `processes` and, of all
/// ways: the sum of the nodes' mesh is least (the faces of a node's part of a cubic domain: what leaves the node), then
/// the sum of `dims` (a process's faces), then the dimensions that it chose do not increase (as MPI_Dims_create), then
/// the first in lexicographic order of the largest first. `ranks_per_node` 0 (nodes are unequal) or one that
/// does not divide `processes`: nodes of one process. Throws Unmappable (mapping.h) where the given entries do not
/// divide the number. Pure; thread-safe.
std::vector<int> node_aware_dims(int processes, int ranks_per_node, std::vector<int> dims);

}  // namespace strata::mpix
