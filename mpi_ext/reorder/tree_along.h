// SPDX-License-Identifier: LGPL-2.1-only
// Makes the tree above processes from their paths alone: the inside of each node comes from its own processes; above
// the nodes are the network's levels if the paths contain them, otherwise one switch.
#pragma once

#include <vector>

#include "mpi_ext/cart/tree_paths.h"
#include "mpi_ext/reorder/place_tree.h"

namespace strata::mpix {

/// The tree of the given paths, indexed by rank; at least one. Nodes are in the order of their first processes; objects
/// inside a node or above it are in the order of their instances. Pure; thread-safe. O(sum of the paths' lengths * log
/// ranks).
PlaceTree tree_along(const std::vector<Path>& paths);

}  // namespace strata::mpix
