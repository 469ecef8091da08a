// SPDX-License-Identifier: LGPL-2.1-only
// The messages that MPI_Waitall needs before it can return. With the number of them, a rank need not continue for each:
//
//   MPI_Irecv, MPI_Irecv, MPI_Irecv, MPI_Waitall(3, ...)     3: continue when the third has arrived
//
// This is possible if MPI_Waitall waits for all of the rank's requests that are under way. A message that arrives then
// either completes one of them or is kept for a later receive, and the library has nothing to do for it. To find out,
// this looks for each request of UCP in the array that the program has passed. In Open MPI, a request of MPI is the
// request of UCP. MPICH gives UCP the address of its own request.
#pragma once

#include <cstdint>

namespace strata::native {

/// How many messages this rank needs before it does anything else than wait; 0: not known. Callers hold lock().
std::uint32_t deliveries_needed();

}  // namespace strata::native
