// SPDX-License-Identifier: LGPL-2.1-only
// Internal barrier algorithms over empty messages. All are collective over `comm`, which returns errors and on which no
// other code sends with kTag, and throw Unreported.
#pragma once

#include <mpi.h>

namespace strata::mpix {

/// linear and binomial: rank 0 returns from the first half when all ranks have called it. The second half holds the
/// other ranks until rank 0 has called it.
void barrier_up(MPI_Comm comm, int algorithm);
void barrier_down(MPI_Comm comm, int algorithm);
void barrier_recursive_doubling(MPI_Comm comm);

}  // namespace strata::mpix
