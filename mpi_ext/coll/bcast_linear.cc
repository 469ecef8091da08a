// SPDX-License-Identifier: LGPL-2.1-only
// Linear broadcast: the root sends the message to every other rank, one after another, in the order of the ranks.
//
// Cost by Hockney: (p - 1)(alpha + m beta), the flat tree of RR-9077, Section 6. Open MPI's basic linear starts all
// sends at once and waits for all; its messages share the root's link, so large ones take as long, and a small one
// leaves before the one ahead of it has arrived, as an eager one does here.
#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/coll/message.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

void bcast_linear(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  if (rank != root) return receive(buffer, count, datatype, root, comm);
  for (int to = 0; to < size; ++to) {
    if (to != root) send(buffer, count, datatype, to, comm);
  }
}

}  // namespace strata::mpix
