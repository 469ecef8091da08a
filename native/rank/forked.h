// SPDX-License-Identifier: LGPL-2.1-only
// A process that a rank has forked, and that calls MPI itself. MPI does not allow it: both processes have the rank's
// connections. The run ends with a line:
//
//   rank 1 calls MPI_Barrier in a process that it has forked; only the process that called MPI_Init may do so
//
// A child that calls exec is a new process, and free to do anything.
#pragma once

namespace strata::native {

/// If this process is such a child, and the function is more than a question about MPI, ends it and its rank.
void refuse_forked(int function);

}  // namespace strata::native
