// SPDX-License-Identifier: LGPL-2.1-only
// MPIX_Barrier: a reduce and a broadcast without data, linear (between rank 0 and all others, in the order of the
// ranks) or on the binomial tree; or recursive doubling.
//
// Cost in Hockney's model: linear 2 (p - 1) alpha, binomial 2 ceil(log2 p) alpha.
#include "mpi_ext/coll/barrier.h"

#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/coll/tree.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

void send_nothing(int dest, MPI_Comm comm) { send(nullptr, 0, MPI_BYTE, dest, comm); }
void receive_nothing(int source, MPI_Comm comm) { receive(nullptr, 0, MPI_BYTE, source, comm); }

Tree tree_of(MPI_Comm comm, int algorithm) {
  const int rank = rank_in(comm), size = size_of(comm);
  if (algorithm == MPIX_ALGORITHM_BINOMIAL) return binomial_tree(rank, size, 0);
  return chain_tree(rank, size, 0, size);  // linear: chains with one rank each
}

}  // namespace

void barrier_up(MPI_Comm comm, int algorithm) {
  const Tree tree = tree_of(comm, algorithm);
  for (const int child : tree.children) receive_nothing(child, comm);
  if (tree.parent >= 0) send_nothing(tree.parent, comm);
}

void barrier_down(MPI_Comm comm, int algorithm) {
  const Tree tree = tree_of(comm, algorithm);
  if (tree.parent >= 0) receive_nothing(tree.parent, comm);
  for (const int child : tree.children) send_nothing(child, comm);
}

}  // namespace strata::mpix

extern "C" int MPIX_Barrier(MPI_Comm comm, int algorithm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(comm, [&](int size) {
    const bool doubling = algorithm == MPIX_ALGORITHM_RECURSIVE_DOUBLING;
    if (!doubling && algorithm != MPIX_ALGORITHM_LINEAR && algorithm != MPIX_ALGORITHM_BINOMIAL) check(MPI_ERR_ARG);
    if (size == 1) return;
    monitoring::called(comm, Meaning::kToAll, 0, 0, MPI_BYTE);
    const MPI_Comm context = context_of(comm);
    if (doubling) {
      barrier_recursive_doubling(context);
    } else {
      barrier_up(context, algorithm);
      barrier_down(context, algorithm);
    }
  });
}
