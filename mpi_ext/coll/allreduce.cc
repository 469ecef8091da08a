// SPDX-License-Identifier: LGPL-2.1-only
// MPIX_Allreduce: a reduce to rank 0 and a broadcast from it (ompi_coll_base_allreduce_intra_nonoverlapping), with the
// cost of both; or recursive doubling.
#include "mpi_ext/coll/allreduce.h"

#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

bool reduces_and_broadcasts(int algorithm) {
  return algorithm >= MPIX_ALGORITHM_LINEAR && algorithm <= MPIX_ALGORITHM_BINOMIAL &&
         algorithm != MPIX_ALGORITHM_SPLIT_BINARY;
}

void check_allreduce(const void* sendbuf, const void* recvbuf, const Operands& o, int segment_bytes) {
  check_segment_bytes(segment_bytes);
  check_message(o.count, o.datatype);
  check_operation(o.datatype, o.op);
  if (sendbuf != MPI_IN_PLACE) check_buffer(sendbuf, o.count, o.datatype);
  check_buffer(recvbuf, o.count, o.datatype);
  check_distinct(sendbuf, recvbuf, o.count, o.datatype);
}

}  // namespace strata::mpix

extern "C" int MPIX_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, int algorithm, int segment_bytes) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(comm, [&](int size) {
    const bool doubling = algorithm == MPIX_ALGORITHM_RECURSIVE_DOUBLING;
    if (!doubling && !reduces_and_broadcasts(algorithm)) check(MPI_ERR_ARG);
    const Operands o{count, datatype, op};
    check_allreduce(sendbuf, recvbuf, o, segment_bytes);
    monitoring::called(comm, Meaning::kToAll, 0, count, datatype);
    if (is_empty(count, datatype)) return;
    const void* mine = contribution(sendbuf, recvbuf);
    const MPI_Comm context = size == 1 ? comm : context_of(comm);
    if (doubling && size > 1) {
      allreduce_recursive_doubling(mine, recvbuf, o, context);
    } else {
      reduce(mine, recvbuf, o, 0, context, algorithm, segment_bytes);
      bcast(recvbuf, count, datatype, 0, context, algorithm, segment_bytes);
    }
  });
}
