// SPDX-License-Identifier: LGPL-2.1-only
// The node of a process.
#pragma once

#include <mpi.h>

#include "mpi_ext/mpix.h"

namespace strata::programs {

/// Its number among the nodes with processes of MPI_COMM_WORLD. Collective.
inline int own_node() {
  MPI_Comm node = MPI_COMM_NULL;
  int rank = 0, index = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPIX_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPIX_Comm_get_hlevel_info(node, nullptr, &index, nullptr);
  MPI_Comm_free(&node);
  return index;
}

}  // namespace strata::programs
