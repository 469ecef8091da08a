// SPDX-License-Identifier: LGPL-2.1-only
// MPI's own Cartesian communicators. Under a real MPI, the library's result is also one of these, so that
// MPI_Cart_shift and MPI's neighborhood collectives work on it. SMPI's need O(P) memory in each of P ranks (a group
// each), and SMPI has no neighborhood collectives, so the library makes none there.
//
// MPI functions are called by their PMPI names, because the other names may lead to a user's library or to our shim.
#pragma once

#include <mpi.h>

#include <vector>

namespace strata::mpix {

/// Whether this MPI's own Cartesian communicators are used.
bool has_native_cart();

/// MPI's Cartesian communicator of the first ranks of `comm`, in their order; null for the others. `periods` has the
/// size of `dims`. Collective over `comm`. Requires has_native_cart(). Throws ReportedByMpi.
MPI_Comm native_cart(MPI_Comm comm, const std::vector<int>& dims, const std::vector<bool>& periods);

}  // namespace strata::mpix
