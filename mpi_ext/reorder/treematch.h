// Mapping by affinity on a tree. The idea is TreeMatch's: those who talk most are put together level by level of the
// machine's tree, so that what remains between groups crosses as few edges as it can.
//
// Source: E. Jeannot, G. Mercier, F. Tessier, "Process Placement in Multicore Clusters: Algorithmic Issues and
// Practical Techniques", IEEE TPDS 25(4), 2014.
#pragma once

#include <vector>

#include "mpi_ext/reorder/pattern.h"
#include "mpi_ext/reorder/place_tree.h"

namespace strata::mpix {

/// new_rank, by old rank (mapping.h). The pattern is of as many ranks as the tree has processes. Deterministic;
/// thread-safe.
std::vector<int> treematch(const Pattern& pattern, const PlaceTree& tree);

}  // namespace strata::mpix
