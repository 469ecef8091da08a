// MPIX_Bcast: checks the arguments, finds the communicator's context, and calls the algorithm.
#include "mpi_ext/coll/bcast.h"

#include "mpi_ext/coll/context.h"
#include "mpi_ext/error.h"
#include "mpi_ext/mpix.h"

namespace strata::mpix {

int bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int algorithm) {
  switch (algorithm) {
    case MPIX_ALGORITHM_LINEAR:
      return bcast_linear(buffer, count, datatype, root, comm);
    case MPIX_ALGORITHM_BINOMIAL:
      return bcast_binomial(buffer, count, datatype, root, comm);
    default:
      return MPI_ERR_ARG;
  }
}

int check_bcast(void* buffer, int count, MPI_Datatype datatype, int root, int size, int algorithm) {
  if (count < 0) return MPI_ERR_COUNT;
  if (datatype == MPI_DATATYPE_NULL) return MPI_ERR_TYPE;
  if (root < 0 || root >= size) return MPI_ERR_ROOT;
  if (algorithm != MPIX_ALGORITHM_LINEAR && algorithm != MPIX_ALGORITHM_BINOMIAL) return MPI_ERR_ARG;
  if (buffer == nullptr && !is_empty(count, datatype)) {
    // Some call it MPI_BOTTOM: a datatype of absolute addresses starts elsewhere.
    MPI_Aint lower = 0, extent = 0;
    call(MPI_Type_get_true_extent(datatype, &lower, &extent));
    if (lower == 0) return MPI_ERR_BUFFER;
  }
  return MPI_SUCCESS;
}

bool is_empty(int count, MPI_Datatype datatype) {
  int size = 0;
  if (count > 0) call(MPI_Type_size(datatype, &size));
  return count == 0 || size == 0;
}

}  // namespace strata::mpix

extern "C" int MPIX_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int algorithm,
                          int segment_bytes) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    int size = 0;
    strata::mpix::call(MPI_Comm_size(comm, &size));
    if (segment_bytes < 0) return static_cast<int>(MPI_ERR_ARG);
    if (const int error = strata::mpix::check_bcast(buffer, count, datatype, root, size, algorithm)) return error;
    if (strata::mpix::is_empty(count, datatype) || size == 1) return static_cast<int>(MPI_SUCCESS);
    return strata::mpix::bcast(buffer, count, datatype, root, strata::mpix::context_of(comm), algorithm);
  });
}
