// SPDX-License-Identifier: LGPL-2.1-only
// Building blocks of all mappings: an order of the ranks by their places, and an order of the mesh's positions in which
// neighbours in the mesh are near each other. The i-th rank goes to the i-th position.
#pragma once

#include <vector>

#include "mpi_ext/cart/level_groups.h"

namespace strata::mpix {

/// Shape of a block: its number of positions in each dimension.
using Shape = std::vector<int>;

/// Old ranks grouped by node: nodes in the order of their first members, ranks ascending within a node. O(ranks).
std::vector<int> ranks_by_node(const Places& places);

/// Old ranks grouped by each level: groups in the order of their first members within the group of the level outside.
/// If nodes are the only level, as ranks_by_node. O(ranks x levels).
std::vector<int> ranks_by_place(const Places& places);

/// The position of each old rank. O(ranks).
std::vector<int> seat(const std::vector<int>& ranks, const std::vector<int>& positions);

/// The positions of a mesh of `dims`, block by block, in row-major order of the blocks. Within each block, the next
/// shape, which divides it, is used in the same way; within the last, position by position. Without shapes: 0, 1, ...
///
/// parts[k], if it exists and is not empty, assigns the blocks of the k-th shape (after the last shape: the positions)
/// to groups: the i-th number is the group of the i-th block in the order in which they are filled. Equal numbers of a
/// block are adjacent. Blocks of one group are then placed together in the surrounding block as by hyperplane.h. O(size
/// x dimensions).
std::vector<int> block_order(const Shape& dims, const std::vector<Shape>& shapes,
                             const std::vector<std::vector<int>>& parts = {});

}  // namespace strata::mpix
