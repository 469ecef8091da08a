// SPDX-License-Identifier: LGPL-2.1-only
// The rank of the caller in a communicator, and the number of its ranks, without being counted as calls of the program
// (behind.h).
#pragma once

#include <mpi.h>

#include "mpi_ext/preload/supply/behind.h"

namespace strata::mpix {

/// The number of ranks; 0 for MPI_COMM_NULL.
inline int size_of(MPI_Comm comm) {
  int size = 0;
  return comm != MPI_COMM_NULL && STRATA_BEHIND(Comm_size)(comm, &size) == MPI_SUCCESS ? size : 0;
}

/// The rank of the caller; -1 for MPI_COMM_NULL.
inline int rank_of(MPI_Comm comm) {
  int rank = 0;
  return comm != MPI_COMM_NULL && STRATA_BEHIND(Comm_rank)(comm, &rank) == MPI_SUCCESS ? rank : -1;
}

}  // namespace strata::mpix
