// SPDX-License-Identifier: LGPL-2.1-only
// Functions that a measuring program needs and MPI lacks: starting all ranks at one moment, and buffers that cost no
// memory. One header, two implementations: under SMPI both cost no simulated time; under a real MPI they are the usual
// best effort.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace strata::mpix {

/// Returns on all ranks of `comm` at the same time, and what MPI_Wtime says then (s). Collective. Under SMPI the same
/// simulated moment to the bit. A barrier would leave a skew of more than a small message takes.
double start_together(MPI_Comm comm);

/// Returns when the other ranks have finished what they were measured in too, so that no next message slows them:
/// under SMPI after a simulated while that is longer than any study, elsewhere after a barrier. Collective.
void let_others_finish(MPI_Comm comm);

/// How many point-to-point messages all processes together have sent so far, those inside MPI's own functions included;
/// -1 where they are not counted (only the simulated network does). Local.
long messages_sent();

/// A buffer of `bytes` for payload that is never read: under SMPI all ranks share one page set, so that a simulated
/// machine's memory does not have to fit in ours. Free with free_payload.
void* allocate_payload(std::size_t bytes);
void free_payload(void* payload);

/// Whether `buffer` points into memory of allocate_payload that several ranks share, so that nothing is in it that
/// would have to be kept, copied or combined: what these take is charged all the same. Never under a real MPI. Local.
bool is_payload(const void* buffer);

}  // namespace strata::mpix
