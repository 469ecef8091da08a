// The caller's rank in a communicator, and how many there are, as values. Local; an intracommunicator has both.
#pragma once

#include <mpi.h>

#include "mpi_ext/error.h"

namespace strata::mpix {

/// Throws ReportedByMpi.
inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  call(MPI_Comm_rank(comm, &rank));
  return rank;
}

/// Throws ReportedByMpi.
inline int size_of(MPI_Comm comm) {
  int size = 0;
  call(MPI_Comm_size(comm, &size));
  return size;
}

}  // namespace strata::mpix
