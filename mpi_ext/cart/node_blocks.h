// SPDX-License-Identifier: LGPL-2.1-only
// The shape of a node's block: enumerates the blocks of a given size that tile a mesh, and chooses one.
#pragma once

#include <vector>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/order.h"

namespace strata::mpix {

/// The factor rule of EuroMPI'18, Section 2.1: `size` is factored into primes; the largest is taken first, and each
/// goes to the dimension with the largest remaining extent that it divides. The paper does not say how to break ties;
/// here the dimension with the shortest block so far wins, then the first dimension. Table 3's 32x32x16 needs this
/// (4x2x2); for 12x8x6 and 36 it gives 3x4x3, with fewer partners off the node than the paper's 6x2x3. If `size`
/// divides the size of the mesh, every factor fits, because a prime that divides a product divides one of its factors.
/// Otherwise throws Unmappable (mapping.h).
Shape factor_block(const Shape& dims, int size);

/// The number of off-node partners (partners.h) of all processes if each node has a block of this shape: the faces of
/// all blocks along each dimension, except if a periodic dimension lies within one block. O(dimensions).
long off_partners(const Mesh& mesh, const Shape& block);

/// Shapes of nested blocks of `sizes` processes, the outermost first; each size is divisible by the next. `node` is the
/// index of the size that is a node's. Among all shapes, chooses those with the fewest partners off the node, among
/// these those with the fewest off the first of the other levels, and so on. Ties go to the lexicographically first,
/// with the longest dimension first. Throws Unmappable if sizes do not divide each other and the size of the mesh.
///
/// Tries all shapes of a level that fit those chosen before, and follows all ties. Of shapes that are equal up to an
/// exchange of dimensions with equal length, period and shape so far, only the first is tried. O(shapes x ties) for
/// each level: about a hundred for a three-dimensional mesh of a million processes.
std::vector<Shape> best_blocks(const Mesh& mesh, const std::vector<int>& sizes, int node);

}  // namespace strata::mpix
