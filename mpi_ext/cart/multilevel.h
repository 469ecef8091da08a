// SPDX-License-Identifier: LGPL-2.1-only
// EuroMPI'18, Section 2.2: applies the factor rule (blocks.h) on every level of the machine, outermost first. The mesh
// is cut into the blocks of the outermost groups, each of these into blocks of the next level, and so on.
//
// The paper describes chips within nodes. Here, levels outside the nodes also follow the rule, if the machine has any.
// A node's block can then have a different shape from the one that the rule gives within the whole mesh (nodecart).
// Fewer partners are then off the switch, but more may be off the node; `auto` decides which is better.
#pragma once

#include <vector>

#include "mpi_ext/cart/order.h"

namespace strata::mpix {

/// The blocks of groups of `sizes`, outermost first. Throws Unmappable (mapping.h) if a size does not divide the
/// previous one, or the size of the mesh. O(levels x primes x dimensions).
std::vector<Shape> multilevel_blocks(const Shape& dims, const std::vector<int>& sizes);

}  // namespace strata::mpix
