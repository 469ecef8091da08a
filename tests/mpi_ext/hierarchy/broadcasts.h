// SPDX-License-Identifier: LGPL-2.1-only
// Broadcasts on a communicator or over its hierarchy, into buffers with guards.
#pragma once

#include <mpi.h>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

// The call under test: a broadcast on a communicator, or over its hierarchy.
struct Broadcast {
  MPI_Comm comm;
  MPIX_Hierarchy hierarchy;
  int algorithm;

  int operator()(void* buffer, int count, MPI_Datatype type, int root) const {
    return hierarchy == MPIX_HIERARCHY_NULL ? MPIX_Bcast(buffer, count, type, root, comm, algorithm, 0)
                                            : MPIX_Hierarchy_bcast(buffer, count, type, root, hierarchy, algorithm, 0);
  }
};

void check_contiguous(Checks& t, const Broadcast& broadcast, int count, int root);

}  // namespace strata::mpix::testing
