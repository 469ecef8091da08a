// SPDX-License-Identifier: LGPL-2.1-only
// Mapping by Scotch's static mapping (dual recursive bipartitioning), for comparison with the other methods.
//
// Source: F. Pellegrini, "Static mapping by dual recursive bipartitioning of process and architecture graphs",
// SHPCC'94; the library, Scotch 7.0.
#pragma once

#include <vector>

#include "mpi_ext/reorder/place_tree.h"
#include "records/matrix/pattern.h"

namespace strata::mpix {

/// new_rank, indexed by old rank (mapping.h): Scotch's default strategy for the tree. Ranks that Scotch puts on a place
/// that is already taken move to the nearest free one; there is no other post-processing. The pattern has as many ranks
/// as the tree has processes. Throws std::runtime_error if Scotch fails. Deterministic; thread-safe: one call runs at a
/// time.
std::vector<int> scotch(const Pattern& pattern, const PlaceTree& tree);

}  // namespace strata::mpix
