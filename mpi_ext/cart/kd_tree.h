// SPDX-License-Identifier: LGPL-2.1-only
// The k-d tree algorithm of von Kirchbach et al., IEEE Cluster 2020 (hyperplane.h), for the stencil of nearest
// neighbours. It halves a box of positions across the dimension in which it is longest relative to the number of the
// stencil's vectors along it (two along each dimension here, so across the longest; ties go to the first), lists the
// first half first, and recurses down to single positions. The algorithm ignores nodes: consecutive positions are near
// each other at every scale, so it works for nodes of any size.
//
// If a length is odd, the first half is the shorter one.
#pragma once

#include <vector>

#include "mpi_ext/cart/order.h"

namespace strata::mpix {

/// The positions of the mesh `dims`, in this order. O(size x dimensions).
std::vector<int> kd_tree_order(const Shape& dims);

}  // namespace strata::mpix
