// SPDX-License-Identifier: LGPL-2.1-only
// The hyperplane algorithm of von Kirchbach, Lehr, Hunold, Schulz, Traeff, "Efficient Process-to-Node Mapping
// Algorithms for Stencil Computations", IEEE Cluster 2020 (arXiv 2005.09521), for the stencil of nearest neighbours. It
// cuts a box of positions in two across one dimension, as near to the middle as leaves whole nodes on both sides, and
// repeats this for both parts until two nodes are left. These get slices across the longest dimension.
//
// The paper orders the dimensions by how well a cut across them avoids the stencil's vectors. With one vector in each
// direction of each dimension, this means the longest dimension, where a cut crosses the fewest vectors. The paper
// counts lengths in processes. Extensions to the paper:
//   - Positions may be blocks of processes (`unit`); lengths are then multiplied by the block's extents.
//   - Nodes may be unequal. A cut must then leave the first n nodes, in their order, on one side. If no cut across any
//     dimension does, the closest one is made (ties: the one nearest to the middle), and a node is split.
#pragma once

#include <vector>

#include "mpi_ext/cart/order.h"

namespace strata::mpix {

/// The positions of the mesh `dims` in the order in which they are assigned to nodes of these sizes, one node after the
/// other. Sizes are above 0, and their sum is the size of the mesh. `unit` has as many elements as `dims`. O(size x
/// dimensions) for equal nodes; unequal ones add the boxes' lengths times log(nodes).
std::vector<int> hyperplane_order(const Shape& dims, const Shape& unit, const std::vector<int>& sizes);

}  // namespace strata::mpix
