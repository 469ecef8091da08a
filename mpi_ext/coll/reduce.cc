// SPDX-License-Identifier: LGPL-2.1-only
// MPIX_Reduce: checks the arguments, finds the communicator's context, and calls the algorithm.
#include "mpi_ext/coll/reduce.h"

#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

void reduce(const void* mine, void* result, const Operands& o, int root, MPI_Comm comm, int algorithm,
            int segment_bytes) {
  const int rank = rank_in(comm), size = size_of(comm);
  if (is_empty(o.count, o.datatype)) return;
  if (size == 1) {
    if (mine != result) copy(mine, o.count, o.datatype, result, o.count, o.datatype);
    return;
  }
  if (algorithm == MPIX_ALGORITHM_LINEAR) return reduce_linear(mine, result, o, root, comm);
  if (algorithm == MPIX_ALGORITHM_IN_ORDER_BINARY || !commutes(o.op)) {
    return reduce_in_order_binary(mine, result, o, root, comm, segment_bytes);
  }
  const auto up = [&](const Tree& tree) { reduce_tree(mine, result, o, tree, comm, segment_bytes); };
  switch (algorithm) {
    case MPIX_ALGORITHM_CHAIN:
      return up(chain_tree(rank, size, root, MPIX_CHAIN_FANOUT));
    case MPIX_ALGORITHM_PIPELINE:
      return up(chain_tree(rank, size, root, 1));
    case MPIX_ALGORITHM_BINARY:
      return up(binary_tree(rank, size, root));
    case MPIX_ALGORITHM_BINOMIAL:
      return up(in_order_binomial_tree(rank, size, root));
    default:
      check(MPI_ERR_ARG);
  }
}

void check_reduce(const void* sendbuf, const void* recvbuf, const Operands& o, int root, int rank, int size,
                  int algorithm, int segment_bytes) {
  const bool known = algorithm >= MPIX_ALGORITHM_LINEAR && algorithm <= MPIX_ALGORITHM_IN_ORDER_BINARY &&
                     algorithm != MPIX_ALGORITHM_SPLIT_BINARY;
  if (!known) check(MPI_ERR_ARG);
  check_segment_bytes(segment_bytes);
  check_message(o.count, o.datatype);
  check_operation(o.datatype, o.op);
  check_root(root, size);
  if (rank != root || sendbuf != MPI_IN_PLACE) check_buffer(sendbuf, o.count, o.datatype);
  if (rank != root) return;
  check_buffer(recvbuf, o.count, o.datatype);
  check_distinct(sendbuf, recvbuf, o.count, o.datatype);
}

}  // namespace strata::mpix

extern "C" int MPIX_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                           MPI_Comm comm, int algorithm, int segment_bytes) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(comm, [&](int size) {
    const Operands o{count, datatype, op};
    check_reduce(sendbuf, recvbuf, o, root, rank_in(comm), size, algorithm, segment_bytes);
    monitoring::called(comm, Meaning::kToRoot, root, count, datatype);
    if (!is_empty(count, datatype)) {
      reduce(contribution(sendbuf, recvbuf), recvbuf, o, root, size == 1 ? comm : context_of(comm), algorithm,
             segment_bytes);
    }
  });
}
