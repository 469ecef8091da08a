// The tree above processes of whom only their own paths are known: what each node's processes say of its inside, under
// one switch or whatever the paths say of the network.
#pragma once

#include <vector>

#include "mpi_ext/cart/paths.h"
#include "mpi_ext/reorder/place_tree.h"

namespace strata::mpix {

/// The tree that is made of the paths, by rank; at least one. Nodes are in the order of their first processes, what is
/// inside a node or above it in that of its instances. Pure; thread-safe. O(sum of the paths' lengths * log ranks).
PlaceTree tree_along(const std::vector<Path>& paths);

}  // namespace strata::mpix
