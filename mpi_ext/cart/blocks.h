// SPDX-License-Identifier: LGPL-2.1-only
// The shape of a node's block: all blocks of a size that cut a mesh into equal ones, and which of them to take.
#pragma once

#include <vector>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/order.h"

namespace strata::mpix {

/// The rule of EuroMPI'18, Section 2.1: `size` is factored into primes, the largest first, and each goes to the
/// dimension with the largest remaining extent that it divides. The paper does not say what of equals: the one whose
/// block is shortest so far, then the first. Table 3's 32x32x16 needs that (4x2x2); for 12x8x6 and 36 it makes 3x4x3,
/// with fewer partners off the node than the paper's 6x2x3. Every factor fits where `size` divides the mesh: a prime
/// that divides a product divides one of its factors. Throws Unmappable (mapping.h) where it does not.
Shape factor_block(const Shape& dims, int size);

/// The off-node partners (partners.h) of all processes where each node has a block of this shape: along each dimension
/// the faces of all blocks, but not where a periodic dimension is within one block. O(dimensions).
long off_partners(const Mesh& mesh, const Shape& block);

/// Blocks of `sizes` processes, the outermost first, each divided by the next; `node` says which of them are a node's.
/// Of all shapes those with the fewest partners off the node, of these with the fewest off the first of the other
/// levels, and so on. Of equals the first in lexicographic order, the longest first. Throws Unmappable where sizes do
/// not divide each other and the mesh's.
///
/// All shapes of a level are tried that fit those chosen before, and all ties are followed; of shapes that differ by an
/// exchange of dimensions of equal length, period and shape so far only the first. O(shapes x ties) for each level: a
/// hundred for a mesh of a million processes in three dimensions.
std::vector<Shape> best_blocks(const Mesh& mesh, const std::vector<int>& sizes, int node);

}  // namespace strata::mpix
