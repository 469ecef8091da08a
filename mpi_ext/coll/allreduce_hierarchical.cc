// SPDX-License-Identifier: LGPL-2.1-only
// The allreduce over a hierarchy: a reduce to rank 0 and a broadcast from it, both over the hierarchy.
#include "mpi_ext/coll/allreduce.h"
#include "mpi_ext/coll/over_hierarchy.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/report_error.h"

extern "C" int MPIX_Hierarchy_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                        MPIX_Hierarchy hierarchy, int algorithm, int segment_bytes) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return guarded(hierarchy, [&](int) {
    if (!reduces_and_broadcasts(algorithm)) check(MPI_ERR_ARG);
    const Operands o{count, datatype, op};
    check_allreduce(sendbuf, recvbuf, o, segment_bytes);
    monitoring::called(hierarchy->comms.front(), Meaning::kToAll, 0, count, datatype);
    if (is_empty(count, datatype)) return;
    const void* mine = contribution(sendbuf, recvbuf);
    if (keeps_order(*hierarchy, op)) {
      reduce_over(*hierarchy, mine, recvbuf, o, algorithm, segment_bytes);
    } else {
      reduce(mine, recvbuf, o, 0, context_of(hierarchy->comms.front()), MPIX_ALGORITHM_IN_ORDER_BINARY, segment_bytes);
    }
    bcast_over(*hierarchy, recvbuf, count, datatype, 0, algorithm, segment_bytes);
  });
}
