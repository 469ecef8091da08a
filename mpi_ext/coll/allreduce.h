// SPDX-License-Identifier: LGPL-2.1-only
// Allreduce algorithms over point-to-point messages, for use inside the library. All are collective over `comm`, a
// communicator on which no other code sends with kTag and that returns errors, and throw Unreported. Arguments are
// valid, the message is not empty, comm has more than one member. `mine` is the caller's contribution and may be
// `result`.
#pragma once

#include <mpi.h>

#include "mpi_ext/coll/reduce.h"

namespace strata::mpix {

void allreduce_recursive_doubling(const void* mine, void* result, const Operands& o, MPI_Comm comm);

/// Whether `algorithm` is one of a reduce and of a broadcast: linear, chain, pipeline, binary, binomial.
bool reduces_and_broadcasts(int algorithm);

/// What MPIX_Allreduce and MPIX_Hierarchy_allreduce find wrong with their arguments (arguments.h), but the algorithm.
void check_allreduce(const void* sendbuf, const void* recvbuf, const Operands& o, int segment_bytes);

}  // namespace strata::mpix
