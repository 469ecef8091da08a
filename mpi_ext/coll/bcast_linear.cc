// Linear broadcast: the root sends the message to every other rank, one after another, in the order of the ranks.
//
// Cost by Hockney: (p - 1)(alpha + m beta), the flat tree of RR-9077, Section 6. Open MPI's basic linear starts all
// sends at once and waits for all; its messages share the root's link, so large ones take as long, and a small one
// leaves before the one ahead of it has arrived, as an eager one does here.
#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/coll/context.h"

namespace strata::mpix {

int bcast_linear(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  int rank = 0, size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (rank != root) return MPI_Recv(buffer, count, datatype, root, kTag, comm, MPI_STATUS_IGNORE);
  for (int to = 0; to < size; ++to) {
    if (to == root) continue;
    if (const int error = send(buffer, count, datatype, to, kTag, comm)) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace strata::mpix
