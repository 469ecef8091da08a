// SPDX-License-Identifier: LGPL-2.1-only
// The stencil strips of von Kirchbach et al., IEEE Cluster 2020 (hyperplane.h), for the stencil of nearest neighbours:
// the mesh is cut into strips along its longest dimension (of equals the first), about as wide in the others as a cube
// of a node's processes, the root of their number; nodes one after the other fill them, up one strip and down the next.
// Within a strip slice after slice across the longest dimension, so that a node gets nearly a cube.
//
// Beyond the paper: dimensions that are shorter than such a cube leave more to the others; a dimension's strips are as
// equal as they can be; and the order turns at every end, of a row in a slice too, and goes on in the next strip at the
// corner that is nearest. So consecutive positions are neighbours in the mesh, except where a strip ends on the side
// away from the next.
#pragma once

#include "mpi_ext/cart/order.h"

namespace strata::mpix {

/// The positions of the mesh `dims`, in this order, for nodes of `node_size` processes, on average where they are
/// unequal. O(size x dimensions).
std::vector<int> strips_order(const Shape& dims, double node_size);

}  // namespace strata::mpix
