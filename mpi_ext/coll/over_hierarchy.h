// SPDX-License-Identifier: LGPL-2.1-only
// The communicators on which collectives over a hierarchy run. They are contexts of their own, because the user may
// send messages on those of the hierarchy (MPIX_Hierarchy_level). They are made at the first collective that uses them.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/coll/reduce.h"
#include "mpi_ext/hierarchy/whole.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

/// The contexts of those bridges that include the caller and have more than one member, outermost first. Rank 0 of each
/// is the caller, or already has the data from the previous bridge. Collective over the hierarchy at the first call,
/// local later. Throws ReportedByMpi.
std::vector<MPI_Comm> bridges_of(const MPIX_Hierarchy_s& h);

/// Whether a reduction up the bridges applies `op` in rank order, or `op` commutes.
bool keeps_order(const MPIX_Hierarchy_s& h, MPI_Op op);

/// Broadcasts down the bridges from `root`, which first sends the message to rank 0. Collective. Throws Unreported.
void bcast_over(const MPIX_Hierarchy_s& h, void* buffer, int count, MPI_Datatype datatype, int root, int algorithm,
                int segment_bytes);

/// Reduces up the bridges to rank 0. `mine` and `result` are as in reduce.h; requires keeps_order. Collective. Throws
/// Unreported.
void reduce_over(const MPIX_Hierarchy_s& h, const void* mine, void* result, const Operands& o, int algorithm,
                 int segment_bytes);

/// Runs `body` with the number of ranks; errors go to the handler of the hierarchy. MPI_ERR_ARG if the hierarchy is
/// null.
template <class Body>
int guarded(MPIX_Hierarchy hierarchy, Body body) {
  if (hierarchy == MPIX_HIERARCHY_NULL) return raise(MPI_COMM_NULL, MPI_ERR_ARG);
  const MPI_Comm whole = hierarchy->comms.front();
  return guarded(whole, [&] {
    body(size_of(whole));
    return static_cast<int>(MPI_SUCCESS);
  });
}

}  // namespace strata::mpix
