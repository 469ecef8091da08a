// SPDX-License-Identifier: LGPL-2.1-only
// Barrier algorithms over messages of no bytes, for use inside the library. All are collective over `comm`, a
// communicator on which no other code sends with kTag and that returns errors, and throw Unreported.
#pragma once

#include <mpi.h>

namespace strata::mpix {

/// linear and binomial: when rank 0 returns from the first half all have called it; the second half keeps the others
/// until rank 0 has called it.
void barrier_up(MPI_Comm comm, int algorithm);
void barrier_down(MPI_Comm comm, int algorithm);
void barrier_recursive_doubling(MPI_Comm comm);

}  // namespace strata::mpix
