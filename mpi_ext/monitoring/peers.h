// SPDX-License-Identifier: LGPL-2.1-only
// The process behind a rank of a communicator or a window, for counting. All is local; errors of MPI's are ignored, as
// a call with the same handle has just succeeded.
#pragma once

#include <mpi.h>

#include "records/exchange/tap.h"

namespace strata::mpix {

/// No process, or under a real MPI a process that is not in MPI_COMM_WORLD.
inline constexpr ProcessId kNobody = -1;

ProcessId calling_process();

/// The process that gets what is sent to `rank` on `comm`: of an intercommunicator one of the remote group. kNobody of
/// MPI_PROC_NULL.
ProcessId peer(MPI_Comm comm, int rank);

/// The same of a window, under a real MPI alone.
ProcessId window_peer(MPI_Win win, int rank);

}  // namespace strata::mpix
