// SPDX-License-Identifier: LGPL-2.1-only
// A communicator's rank and size as values.
#pragma once

#include <mpi.h>

namespace strata::programs {

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

}  // namespace strata::programs
