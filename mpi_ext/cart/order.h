// SPDX-License-Identifier: LGPL-2.1-only
// The parts of all mappings: an order of the ranks, by where they are, and an order of the mesh's positions, in
// which neighbours in the mesh are near each other; the i-th rank goes to the i-th position.
#pragma once

#include <vector>

#include "mpi_ext/cart/places.h"

namespace strata::mpix {

/// Shapes of blocks: of each dimension, how many positions.
using Shape = std::vector<int>;

/// Old ranks: those of a node together, nodes in the order of their first members, in a node by rank. O(ranks).
std::vector<int> ranks_by_node(const Places& places);

/// Old ranks: those of each group of each level together; groups in the order of their first members within the group
/// of the level outside. With nodes alone, as ranks_by_node. O(ranks x levels).
std::vector<int> ranks_by_place(const Places& places);

/// By old rank, its position. O(ranks).
std::vector<int> seat(const std::vector<int>& ranks, const std::vector<int>& positions);

/// The positions of a mesh of `dims`, block by block, in row-major order of the blocks; in each block the same with the
/// next shape, which divides it; in the last position by position. Without shapes: 0, 1, ...
///
/// parts[k], where there is one and it is not empty: of the blocks of the k-th shape (behind the last: the positions),
/// in the order in which they are filled, what group each is to be of, a number for each, equal ones of a block
/// together. Blocks of a group are then put together in the block around them as by hyperplane.h. O(size x dimensions).
std::vector<int> block_order(const Shape& dims, const std::vector<Shape>& shapes,
                             const std::vector<std::vector<int>>& parts = {});

}  // namespace strata::mpix
