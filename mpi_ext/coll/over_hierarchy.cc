// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/coll/over_hierarchy.h"

#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

std::vector<MPI_Comm> bridges_of(const MPIX_Hierarchy_s& h) {
  std::vector<MPI_Comm> bridges;
  for (const MPI_Comm bridge : h.bridge) {
    if (bridge != MPI_COMM_NULL && size_of(bridge) > 1) bridges.push_back(context_of(bridge));
  }
  return bridges;
}

bool keeps_order(const MPIX_Hierarchy_s& h, MPI_Op op) { return h.consecutive || commutes(op); }

}  // namespace strata::mpix
