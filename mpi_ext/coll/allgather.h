// SPDX-License-Identifier: LGPL-2.1-only
// Internal parts of MPIX_Allgather and MPIX_Hierarchy_allgather.
#pragma once

#include <mpi.h>

#include "mpi_ext/coll/blocks.h"

namespace strata::mpix {

/// p - 1 exchanges with the neighbours. `blocks` holds the blocks of all ranks in order; on entry the caller's block is
/// in its place. Collective over `comm`, a context; throws Unreported.
void allgather_ring(void* blocks, const Block& block, MPI_Comm comm);

/// The functions' checks of their arguments (arguments.h), except the algorithm.
void check_allgather(const void* sendbuf, const Block& sendblock, const void* recvbuf, const Block& recvblock);

}  // namespace strata::mpix
