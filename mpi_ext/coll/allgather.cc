// SPDX-License-Identifier: LGPL-2.1-only
// MPIX_Allgather: a gather to rank 0 and a broadcast of all blocks from it, or a ring. Cost: that of its parts.
#include "mpi_ext/coll/allgather.h"

#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/coll/gather.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

void check_allgather(const void* sendbuf, const Block& sendblock, const void* recvbuf, const Block& recvblock) {
  if (sendbuf != MPI_IN_PLACE) {
    check_message(sendblock.count, sendblock.datatype);
    check_buffer(sendbuf, sendblock.count, sendblock.datatype);
  }
  check_message(recvblock.count, recvblock.datatype);
  check_buffer(recvbuf, recvblock.count, recvblock.datatype);
  check_distinct(sendbuf, recvbuf, recvblock.count, recvblock.datatype);
}

}  // namespace strata::mpix

extern "C" int MPIX_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                              MPI_Datatype recvtype, MPI_Comm comm, int algorithm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(comm, [&](int size) {
    const int rank = rank_in(comm);
    const Block sendblock{sendcount, sendtype}, recvblock{recvcount, recvtype};
    const bool ring = algorithm == MPIX_ALGORITHM_RING;
    if (!ring && algorithm != MPIX_ALGORITHM_LINEAR && algorithm != MPIX_ALGORITHM_BINOMIAL) check(MPI_ERR_ARG);
    check_allgather(sendbuf, sendblock, recvbuf, recvblock);
    monitoring::called(comm, Meaning::kToAll, 0, recvcount, recvtype);
    if (recvblock.empty()) return;
    void* place = recvblock.at(recvbuf, rank);
    if (sendbuf != MPI_IN_PLACE) copy_block(sendbuf, sendblock, place, recvblock);
    if (size == 1) return;
    const MPI_Comm context = context_of(comm);
    if (ring) {
      allgather_ring(recvbuf, recvblock, context);
    } else {
      gather(rank == 0 ? MPI_IN_PLACE : place, recvblock, recvbuf, recvblock, 0, context, algorithm);
      const Blocks everything(size, recvblock);
      bcast(recvbuf, everything.count(), everything.datatype(), 0, context, algorithm, 0);
    }
  });
}
