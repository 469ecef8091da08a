// The broadcast over a hierarchy (RR-9077, Section 7.2): a loop over the levels that calls one algorithm on each
// communicator of roots.
//
// When the loop comes to a communicator its rank 0 has the message. It goes to the roots of the new communicators
// below, and each of these is in the same position one level down. Where bindings are uneven some members have no
// communicator below: they are no roots, yet must get the message, so there the algorithm runs on a *bridge*, the roots
// and these members together. Rank 0 of the communicator is always in it. At the bottom the algorithm runs on the
// communicator itself.
//
// Any other broadcast root first sends the message to rank 0: one message more, whatever the hierarchy.
// Cost by Hockney, linear: the sum over the levels of (p_i - 1)(alpha_i + m beta_i), Section 6.
#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/coll/context.h"
#include "mpi_ext/error.h"
#include "mpi_ext/hierarchy/whole.h"
#include "mpi_ext/mpix.h"

namespace strata::mpix {
namespace {

// Messages run on communicators that inherited the user's error handler: MPI reports their errors itself.
void bcast_over(const MPIX_Hierarchy_s& h, void* buffer, int count, MPI_Datatype datatype, int root, int algorithm) {
  const MPI_Comm whole = h.comms.front();
  int rank = 0;
  call(MPI_Comm_rank(whole, &rank));
  if (root != 0 && rank == root) call(send(buffer, count, datatype, 0, kTag, whole));
  if (root != 0 && rank == 0) call(MPI_Recv(buffer, count, datatype, root, kTag, whole, MPI_STATUS_IGNORE));
  for (const MPI_Comm bridge : h.bridge) {
    if (bridge != MPI_COMM_NULL) call(bcast(buffer, count, datatype, 0, bridge, algorithm));
  }
}

}  // namespace
}  // namespace strata::mpix

extern "C" {

int MPIX_Hierarchy_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPIX_Hierarchy hierarchy,
                         int algorithm, int segment_bytes) {
  if (hierarchy == MPIX_HIERARCHY_NULL) return strata::mpix::raise(MPI_COMM_NULL, MPI_ERR_ARG);
  const MPI_Comm whole = hierarchy->comms.front();
  return strata::mpix::guarded(whole, [&] {
    int size = 0;
    strata::mpix::call(MPI_Comm_size(whole, &size));
    if (segment_bytes < 0) return static_cast<int>(MPI_ERR_ARG);
    if (const int error = strata::mpix::check_bcast(buffer, count, datatype, root, size, algorithm)) return error;
    if (!strata::mpix::is_empty(count, datatype)) {
      strata::mpix::bcast_over(*hierarchy, buffer, count, datatype, root, algorithm);
    }
    return static_cast<int>(MPI_SUCCESS);
  });
}

}  // extern "C"
