// SPDX-License-Identifier: LGPL-2.1-only
// The stencil strips algorithm of von Kirchbach et al., IEEE Cluster 2020 (hyperplane.h), for the stencil of nearest
// neighbours. The mesh is cut into strips along its longest dimension (ties go to the first). In the other dimensions a
// strip is about as wide as a cube of a node's processes. Nodes fill the strips one after another, up one strip and
// down the next, slice by slice across the longest dimension, so that a node gets nearly a cube.
//
// Extensions to the paper: dimensions that are shorter than such a cube leave more to the others; a dimension's strips
// are as equal as possible; and the order reverses at every end, also at the end of a row in a slice, and continues in
// the next strip at the nearest corner. So consecutive positions are neighbours in the mesh, except if a strip ends on
// the side away from the next one.
#pragma once

#include "mpi_ext/cart/order.h"

namespace strata::mpix {

/// The positions of the mesh `dims`, in this order, for nodes of `node_size` processes (their mean if nodes are
/// unequal). O(size x dimensions).
std::vector<int> strips_order(const Shape& dims, double node_size);

}  // namespace strata::mpix
