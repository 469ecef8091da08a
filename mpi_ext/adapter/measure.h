// SPDX-License-Identifier: LGPL-2.1-only
// Functions that a measuring program needs and MPI lacks: starting all ranks at the same moment, and buffers that use
// no memory. Under SMPI both cost no simulated time; under a real MPI they are best effort.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace strata::mpix {

/// Returns on all ranks of `comm` at the same time, and returns that time (s, MPI_Wtime). Collective. Under SMPI it is
/// the same simulated moment to the bit. A barrier would leave a skew that is larger than the time of a small message.
double start_together(MPI_Comm comm);

/// Returns when the other ranks have finished their measurements too, so that the caller's next message does not slow
/// them down: under SMPI after a simulated delay longer than any study, otherwise after a barrier. Collective.
void let_others_finish(MPI_Comm comm);

/// The number of point-to-point messages that all processes together have sent so far, including those inside MPI's own
/// functions; -1 if they are not counted (only the simulated network counts them). Local.
long messages_sent();

/// A buffer of `bytes` for payload that is never read. Under SMPI all ranks share one set of pages, because the memory
/// of the simulated machine may not fit into the real one. Free with free_payload.
void* allocate_payload(std::size_t bytes);
void free_payload(void* payload);

/// Whether `buffer` points into memory of allocate_payload that several ranks share. Its contents need not be kept,
/// copied or combined, but the cost of these operations is still charged. Always false under a real MPI. Local.
bool is_payload(const void* buffer);

}  // namespace strata::mpix
