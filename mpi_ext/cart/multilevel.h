// SPDX-License-Identifier: LGPL-2.1-only
// EuroMPI'18, Section 2.2: the factor rule (blocks.h) on every level of the machine, the outermost first: the mesh is
// cut into the blocks of the outermost groups, each of these into those of the next level, and so on.
//
// The paper sketches chips within nodes. Blocks of levels outside the nodes, if the machine has them, also follow the
// rule; so a node's block can have another shape than the rule gives it within the whole mesh (nodecart).
// Fewer partners are then off the switch, but there may be more off the node; `auto` decides which is better.
#pragma once

#include <vector>

#include "mpi_ext/cart/order.h"

namespace strata::mpix {

/// The blocks of groups of `sizes`, the outermost first. Throws Unmappable (mapping.h) where a size does not divide the
/// one before, or the mesh's. O(levels x primes x dimensions).
std::vector<Shape> multilevel_blocks(const Shape& dims, const std::vector<int>& sizes);

}  // namespace strata::mpix
