// SPDX-License-Identifier: LGPL-2.1-only
// MPIX_Bcast: checks the arguments, finds the communicator's context, and calls the algorithm.
#include "mpi_ext/coll/bcast.h"

#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

void bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int algorithm, int segment_bytes) {
  const int rank = rank_in(comm), size = size_of(comm);
  if (size == 1 || is_empty(count, datatype)) return;
  const auto down = [&](const Tree& tree) {
    bcast_tree(buffer, count, datatype, tree, comm, segment_bytes, Sends::kAtOnce);
  };
  switch (algorithm) {
    case MPIX_ALGORITHM_LINEAR:
      return bcast_linear(buffer, count, datatype, root, comm);
    case MPIX_ALGORITHM_CHAIN:
      return down(chain_tree(rank, size, root, MPIX_CHAIN_FANOUT));
    case MPIX_ALGORITHM_PIPELINE:
      return down(chain_tree(rank, size, root, 1));
    case MPIX_ALGORITHM_SPLIT_BINARY:
      return bcast_split_binary(buffer, count, datatype, root, comm, segment_bytes);
    case MPIX_ALGORITHM_BINARY:
      return down(binary_tree(rank, size, root));
    case MPIX_ALGORITHM_BINOMIAL:
      return down(binomial_tree(rank, size, root));
    default:
      check(MPI_ERR_ARG);
  }
}

void check_bcast(const void* buffer, int count, MPI_Datatype datatype, int root, int size, int algorithm,
                 int segment_bytes) {
  if (algorithm < MPIX_ALGORITHM_LINEAR || algorithm > MPIX_ALGORITHM_BINOMIAL) check(MPI_ERR_ARG);
  check_segment_bytes(segment_bytes);
  check_message(count, datatype);
  check_root(root, size);
  check_buffer(buffer, count, datatype);
}

}  // namespace strata::mpix

extern "C" int MPIX_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int algorithm,
                          int segment_bytes) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(comm, [&](int size) {
    check_bcast(buffer, count, datatype, root, size, algorithm, segment_bytes);
    monitoring::called(comm, Meaning::kFromRoot, root, count, datatype);
    if (size > 1 && !is_empty(count, datatype)) {
      bcast(buffer, count, datatype, root, context_of(comm), algorithm, segment_bytes);
    }
  });
}
