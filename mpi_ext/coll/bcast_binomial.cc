// Binomial broadcast: in step k the 2^k ranks that have the message send it to 2^k that have not.
//
// With ranks counted from the root, rank v receives from v without its highest bit, then sends to v + 2^k for each 2^k
// above that bit: nearest first, the shape of Open MPI's coll_base (ompi_coll_base_topo_build_bmtree). Cost by Hockney:
// ceil(log2 p)(alpha + m beta).
#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/coll/context.h"

namespace strata::mpix {

int bcast_binomial(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  int rank = 0, size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int v = (rank - root + size) % size;
  long bit = 1;  // the lowest power of two above v
  while (bit <= v) bit *= 2;
  if (v > 0) {
    const int parent = static_cast<int>(v - bit / 2 + root) % size;
    if (const int error = MPI_Recv(buffer, count, datatype, parent, kTag, comm, MPI_STATUS_IGNORE)) return error;
  }
  for (; v + bit < size; bit *= 2) {
    const int child = static_cast<int>((v + bit + root) % size);
    if (const int error = send(buffer, count, datatype, child, kTag, comm)) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace strata::mpix
