// SPDX-License-Identifier: LGPL-2.1-only
// One-sided operations with a request (MPI 4.0, Section 12.3.5), and the ends of access epochs, which complete them.
#pragma once

#include <mpi.h>

namespace strata::mpix {

/// The request is complete, and SMPI has ended it, but the program has not waited for it yet. `handle` has a reference,
/// which the program's MPI_Wait or similar function releases.
void end_early(MPI_Request handle, const MPI_Status& status);

/// The program frees the request: if it is one of MPI_Rget, no end of an epoch waits for it.
void forget_get(MPI_Request request);

}  // namespace strata::mpix
