// SPDX-License-Identifier: LGPL-2.1-only
// The messages that MPI_Waitall needs before it can return. With the number of them, a rank need not continue for each:
//
//   MPI_Irecv, MPI_Irecv, MPI_Irecv, MPI_Waitall(3, ...)     3: continue when the third has arrived
//
// This holds if no request of UCP is under way but those that MPI_Waitall waits for: then a message completes one of
// them, or waits for a later receive, and the library does nothing else with it. So this compares the requests of UCP
// with the program's array. Open MPI's requests are UCP's requests. MPICH tells UCP the address of its own.
#pragma once

#include <cstdint>

namespace strata::native {

/// How many messages this rank needs before it does anything else than wait; 0: not known. Callers hold lock().
std::uint32_t deliveries_needed();

}  // namespace strata::native
