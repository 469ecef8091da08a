// SPDX-License-Identifier: LGPL-2.1-only
// The communicators that collectives over a hierarchy run on. These are contexts of the hierarchy's
// own, on which the user may send messages (MPIX_Hierarchy_level); they are made at the first collective that uses
// them.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/coll/reduce.h"
#include "mpi_ext/error.h"
#include "mpi_ext/hierarchy/whole.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

/// The contexts of the bridges that the caller is in and that have more than one member, outermost first. Rank 0 of
/// each is the caller or was reached by the bridge before. Collective over the hierarchy at the first call, local
/// later. Throws ReportedByMpi.
std::vector<MPI_Comm> bridges_of(const MPIX_Hierarchy_s& h);

/// Whether going up the bridges applies `op` in the order of the ranks, or the order does not matter.
bool keeps_order(const MPIX_Hierarchy_s& h, MPI_Op op);

/// Down the bridges from `root`, which sends the message to rank 0 first. Collective. Throws Unreported.
void bcast_over(const MPIX_Hierarchy_s& h, void* buffer, int count, MPI_Datatype datatype, int root, int algorithm,
                int segment_bytes);

/// Up the bridges to rank 0. `mine` and `result` as in reduce.h; the operation keeps the order. Collective. Throws
/// Unreported.
void reduce_over(const MPIX_Hierarchy_s& h, const void* mine, void* result, const Operands& o, int algorithm,
                 int segment_bytes);

/// Runs `body` with the number of ranks; errors go to the handler of the hierarchy. MPI_ERR_ARG where it is null.
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
