// SPDX-License-Identifier: LGPL-2.1-only
// The hyperplane algorithm of von Kirchbach, Lehr, Hunold, Schulz, Traeff, "Efficient Process-to-Node Mapping
// Algorithms for Stencil Computations", IEEE Cluster 2020 (arXiv 2005.09521), for the stencil of nearest neighbours: a
// box of positions is cut in two across one of its dimensions, as near to the half as leaves whole nodes on both sides,
// and both are cut on, until two nodes are left; these lie in slices across the longest dimension.
//
// The paper orders the dimensions by how well a cut across them avoids the stencil's vectors; with one vector in each
// direction of each dimension that leaves the longest, where a cut meets the fewest. It counts lengths in processes.
// Beyond the paper:
//   - positions may be blocks of processes (`unit`), whose extent lengths are multiplied by;
//   - nodes may be unequal. A cut then has to leave the first n of them, in their order, on one side; where
//     none across any dimension does, the one that comes closest is made, of equals the one nearest to the half, and
//     a node is parted.
#pragma once

#include <vector>

#include "mpi_ext/cart/order.h"

namespace strata::mpix {

/// The positions of the mesh `dims` in the order in which nodes of these sizes, one after the other, get them. The
/// sizes are above 0 and as many in sum as the mesh has positions. `unit`: as many as `dims`. O(size x dimensions) for
/// equal nodes; unequal ones add the boxes' lengths times log(nodes).
std::vector<int> hyperplane_order(const Shape& dims, const Shape& unit, const std::vector<int>& sizes);

}  // namespace strata::mpix
