// SPDX-License-Identifier: LGPL-2.1-only
// The k-d tree algorithm of von Kirchbach et al., IEEE Cluster 2020 (hyperplane.h), for the stencil of nearest
// neighbours: a box of positions is halved across the dimension in which it is longest for each of the stencil's
// vectors along that (two along each dimension here: across the longest; of equals the first), the first half comes
// first, and so on down to single positions. It does not look at nodes at all: consecutive positions are near each
// other at every scale, for nodes of any size.
//
// The first half of an odd length is the shorter one.
#pragma once

#include <vector>

#include "mpi_ext/cart/order.h"

namespace strata::mpix {

/// The positions of the mesh `dims`, in this order. O(size x dimensions).
std::vector<int> kd_tree_order(const Shape& dims);

}  // namespace strata::mpix
