// SPDX-License-Identifier: LGPL-2.1-only
// Internal allreduce algorithms over point-to-point messages. All are collective over `comm`, which returns errors and
// on which no other code sends with kTag, and throw Unreported. Arguments are valid, the message is not empty, and comm
// has more than one member. `mine` is the caller's contribution and may be `result`.
#pragma once

#include <mpi.h>

#include "mpi_ext/coll/reduce.h"

namespace strata::mpix {

void allreduce_recursive_doubling(const void* mine, void* result, const Operands& o, MPI_Comm comm);

/// Whether a reduce and a broadcast both have `algorithm`: linear, chain, pipeline, binary, binomial.
bool reduces_and_broadcasts(int algorithm);

/// The checks of MPIX_Allreduce and MPIX_Hierarchy_allreduce (arguments.h), except the algorithm.
void check_allreduce(const void* sendbuf, const void* recvbuf, const Operands& o, int segment_bytes);

}  // namespace strata::mpix
