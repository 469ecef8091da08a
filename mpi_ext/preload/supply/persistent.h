// SPDX-License-Identifier: LGPL-2.1-only
// Persistent requests (MPI 4.0, Section 3.9), made of nonblocking ones. SMPI starts one object again and again. But an
// eager message belongs to its sender's object until it is received, so if a send is started twice, SMPI forgets which
// message the first one was, and the receiver waits for ever. Here, each start makes a nonblocking request of its own:
//
//   MPI_Send_init(buffer, ..., &handle)    an object of SMPI's that is never started; the arguments are kept
//   MPI_Start(&handle)                     started = MPI_Isend(buffer, ...)
//   MPI_Wait(&handle)                      MPI_Wait(&started); the handle is inactive again
//
// So a started one costs what MPI_Isend or MPI_Irecv does, and tools see a usual message.
#pragma once

#include <mpi.h>

namespace strata::mpix {

/// Whether the program made the request with MPI_*_init.
bool is_persistent(MPI_Request request);

/// The nonblocking request that it has started, or MPI_REQUEST_NULL if it is inactive.
MPI_Request started_by(MPI_Request persistent);

/// The request that it has started has ended: it is inactive.
void deactivate(MPI_Request persistent);

/// Forgets an inactive one that the program frees.
void forget(MPI_Request persistent);

}  // namespace strata::mpix
