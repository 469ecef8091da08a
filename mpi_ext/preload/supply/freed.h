// SPDX-License-Identifier: LGPL-2.1-only
// Requests that the program frees while they are active (MPI 4.0, Section 3.7.3): the message arrives all the same.
// SMPI would delete the object, and with it the message, for which the receiver then waits for ever. Here it is kept
// until it is complete, in MPI_Finalize at the latest.
#pragma once

#include <mpi.h>

namespace strata::mpix {

/// Keeps an active request, which is not persistent.
void keep_freed(MPI_Request request);

}  // namespace strata::mpix
