// SPDX-License-Identifier: LGPL-2.1-only
// The process behind a rank of a communicator or a window, for counting. All functions are local and ignore MPI errors,
// because a call with the same handle has just succeeded.
#pragma once

#include <mpi.h>

#include "records/exchange/tap.h"

namespace strata::mpix {

/// Not a process, or under a real MPI a process that is not in MPI_COMM_WORLD.
inline constexpr ProcessId kNobody = -1;

ProcessId calling_process();

/// The process that receives messages to `rank` on `comm`; for an intercommunicator, a process of the remote group.
/// kNobody for MPI_PROC_NULL.
ProcessId peer(MPI_Comm comm, int rank);

/// The same for a window; only under a real MPI.
ProcessId window_peer(MPI_Win win, int rank);

}  // namespace strata::mpix
