// SPDX-License-Identifier: LGPL-2.1-only
// Mapping by Scotch's static mapping (dual recursive bipartitioning): what others are compared with.
//
// Source: F. Pellegrini, "Static mapping by dual recursive bipartitioning of process and architecture graphs",
// SHPCC'94; the library, Scotch 7.0.
#pragma once

#include <vector>

#include "mpi_ext/reorder/place_tree.h"
#include "records/matrix/pattern.h"

namespace strata::mpix {

/// new_rank, by old rank (mapping.h): Scotch's default strategy onto the tree, and what it puts on places that are
/// taken moved to the nearest free one; nothing else is done. The pattern is of as many ranks as the tree has
/// processes. Throws std::runtime_error where Scotch fails. Deterministic; thread-safe: one call at a time runs.
std::vector<int> scotch(const Pattern& pattern, const PlaceTree& tree);

}  // namespace strata::mpix
