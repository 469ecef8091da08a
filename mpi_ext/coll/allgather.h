// SPDX-License-Identifier: LGPL-2.1-only
// For use inside the library: what MPIX_Allgather and MPIX_Hierarchy_allgather share.
#pragma once

#include <mpi.h>

#include "mpi_ext/coll/blocks.h"

namespace strata::mpix {

/// p - 1 exchanges with the neighbours. On entry the caller's block is in its place among `blocks`, those of all ranks
/// in their order. Collective over `comm`, a context; throws Unreported.
void allgather_ring(void* blocks, const Block& block, MPI_Comm comm);

/// What the functions find wrong with their arguments (arguments.h), but the algorithm.
void check_allgather(const void* sendbuf, const Block& sendblock, const void* recvbuf, const Block& recvblock);

}  // namespace strata::mpix
