// SPDX-License-Identifier: LGPL-2.1-only
// The broadcast over a hierarchy (RR-9077, Section 7.2): a loop over the levels, outermost first, that calls one
// algorithm on each communicator of roots (whole.h). When the loop reaches a communicator, its rank 0 has the message.
//
// If the root of the broadcast is not rank 0, it first sends the message to rank 0: one more message, for any
// hierarchy.
//
// Cost in Hockney's model, linear: the sum over the levels of (p_i - 1)(alpha_i + m beta_i), Section 6.
#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/coll/over_hierarchy.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/hierarchy/whole.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

void bcast_over(const MPIX_Hierarchy_s& h, void* buffer, int count, MPI_Datatype datatype, int root, int algorithm,
                int segment_bytes) {
  if (is_empty(count, datatype)) return;
  if (root != 0) {
    const MPI_Comm whole = context_of(h.comms.front());  // collective
    const int rank = rank_in(whole);
    if (rank == root) send(buffer, count, datatype, 0, whole);
    if (rank == 0) receive(buffer, count, datatype, root, whole);
  }
  for (const MPI_Comm bridge : bridges_of(h)) bcast(buffer, count, datatype, 0, bridge, algorithm, segment_bytes);
}

}  // namespace strata::mpix

extern "C" int MPIX_Hierarchy_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPIX_Hierarchy hierarchy,
                                    int algorithm, int segment_bytes) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return guarded(hierarchy, [&](int size) {
    check_bcast(buffer, count, datatype, root, size, algorithm, segment_bytes);
    monitoring::called(hierarchy->comms.front(), Meaning::kFromRoot, root, count, datatype);
    bcast_over(*hierarchy, buffer, count, datatype, root, algorithm, segment_bytes);
  });
}
