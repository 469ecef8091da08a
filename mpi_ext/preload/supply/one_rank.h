// SPDX-License-Identifier: LGPL-2.1-only
// Whether a communicator has one rank, on which collectives have nothing to send.
#pragma once

#include <mpi.h>

#include "mpi_ext/preload/supply/behind.h"

namespace strata::mpix {

inline bool is_alone(MPI_Comm comm) {
  int size = 0, between = 0;
  return comm != MPI_COMM_NULL && STRATA_BEHIND(Comm_size)(comm, &size) == MPI_SUCCESS && size == 1 &&
         PMPI_Comm_test_inter(comm, &between) == MPI_SUCCESS && between == 0;
}

}  // namespace strata::mpix
