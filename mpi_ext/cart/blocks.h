// The shape of a node's block: all blocks of a size that cut a mesh into equal ones, and which of them to take.
#pragma once

#include <vector>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/order.h"

namespace strata::mpix {

/// The rule of EuroMPI'18, Section 2.1: `size` is factored into primes, the largest first, and each goes to the
/// dimension with the largest remaining extent that it divides. The paper does not say what of equals: the one whose
/// block is shortest so far, then the first (Table 3's 32x32x16 needs 4x2x2). Every factor fits where `size` divides
/// the mesh: a prime that divides a product divides one of its factors. Throws Unmappable (mapping.h) where it does
/// not.
Shape factor_block(const Shape& dims, int size);

}  // namespace strata::mpix
