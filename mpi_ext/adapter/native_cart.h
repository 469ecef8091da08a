// SPDX-License-Identifier: LGPL-2.1-only
// MPI's own Cartesian communicators, where they are worth having. Under a real MPI what the library makes shall be one
// of MPI's too, so that MPI_Cart_shift and MPI's neighborhood collectives work on it. SMPI's keep O(P) memory in each
// of P ranks (a group of its own each), and it has no neighborhood collectives: none is made.
//
// MPI's functions are called by their PMPI names: the library of a user, or our shim, may stand behind the others.
#pragma once

#include <mpi.h>

#include "mpi_ext/cart/mesh.h"

namespace strata::mpix {

/// Whether this MPI's own Cartesian communicators are used.
bool has_native_cart();

/// MPI's Cartesian communicator of the first ranks of `comm`, in their order; null for the others. Collective over
/// `comm`. To be called only where has_native_cart(). Throws ReportedByMpi.
MPI_Comm native_cart(MPI_Comm comm, const Mesh& mesh);

}  // namespace strata::mpix
