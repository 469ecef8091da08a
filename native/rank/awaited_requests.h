// SPDX-License-Identifier: LGPL-2.1-only
// The messages that MPI_Waitall needs before it can return. If the coordinator knows them, a rank need not continue for
// each:
//
//   MPI_Irecv, MPI_Irecv, MPI_Irecv, MPI_Waitall(3, ...)     continue when the three have their messages
//
// This is possible if MPI_Waitall waits for all of the rank's requests that are under way. A message that arrives then
// either completes one of them or is kept for a later receive, and the library has nothing to do for it. To find out,
// this looks for each request of UCP in the array that the program has passed. In Open MPI, a request of MPI is the
// request of UCP. MPICH gives UCP the address of its own request.
#pragma once

#include "native/rank/process.h"

namespace strata::native {

/// The messages that this rank needs before it does anything else than wait. Fills Slot::open_receives. Callers hold
/// lock().
Needed messages_needed();

}  // namespace strata::native
