// SPDX-License-Identifier: LGPL-2.1-only
// The tree above processes, made from their paths alone: each node's inside comes from its own processes; above are the
// network's levels if the paths have them, otherwise one switch.
#pragma once

#include <vector>

#include "mpi_ext/cart/paths.h"
#include "mpi_ext/reorder/place_tree.h"

namespace strata::mpix {

/// The tree that is made of the paths, by rank; at least one. Nodes are in the order of their first processes, what is
/// inside a node or above it in that of its instances. Pure; thread-safe. O(sum of the paths' lengths * log ranks).
PlaceTree tree_along(const std::vector<Path>& paths);

}  // namespace strata::mpix
