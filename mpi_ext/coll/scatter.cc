// SPDX-License-Identifier: LGPL-2.1-only
// MPIX_Scatter: checks the arguments, finds the communicator's context, puts the root's blocks into the order that the
// algorithm needs, and copies the caller's block to its destination.
#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/coll/gather.h"
#include "mpi_ext/coll/tree.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {
namespace {

void scatter(const void* sendbuf, const Block& sendblock, void* recvbuf, const Block& recvblock, int root,
             MPI_Comm comm, int algorithm) {
  const int rank = rank_in(comm), size = size_of(comm);
  const int v = (rank - root + size) % size;
  const bool linear = algorithm == MPIX_ALGORITHM_LINEAR;
  if (rank != root) {
    const int held = linear ? 1 : in_order_span(v, size);
    if (linear) return scatter_linear(recvbuf, recvblock, {}, root, comm);
    if (held == 1) return scatter_binomial(recvbuf, recvblock, {}, root, comm);
    const Scratch blocks(static_cast<long>(held) * recvblock.count, recvblock.datatype);
    scatter_binomial(blocks.data(), recvblock, {}, root, comm);
    return copy_block(blocks.data(), recvblock, recvbuf, recvblock);
  }
  if (recvbuf != MPI_IN_PLACE) copy_block(sendblock.at(sendbuf, root), sendblock, recvbuf, recvblock);
  if (size == 1) return;
  void* blocks = const_cast<void*>(sendbuf);  // the root only sends
  if (linear) return scatter_linear(blocks, sendblock, {}, root, comm);
  if (root == 0) return scatter_binomial(blocks, sendblock, {}, root, comm);
  const Scratch rotated(static_cast<long>(size) * sendblock.count, sendblock.datatype);
  for (int w = 0; w < size; ++w) {
    copy_block(sendblock.at(sendbuf, (root + w) % size), sendblock, sendblock.at(rotated.data(), w), sendblock);
  }
  scatter_binomial(rotated.data(), sendblock, {}, root, comm);
}

}  // namespace
}  // namespace strata::mpix

extern "C" int MPIX_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, int root, MPI_Comm comm, int algorithm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(comm, [&](int size) {
    const int rank = rank_in(comm);
    const Block sendblock{sendcount, sendtype}, recvblock{recvcount, recvtype};
    check_gather_or_scatter(recvbuf, recvblock, sendbuf, sendblock, root, rank, size, algorithm);
    if (rank == root) monitoring::called(comm, Meaning::kFromRoot, root, sendcount, sendtype);
    if (!(rank == root ? sendblock : recvblock).empty()) {
      scatter(sendbuf, sendblock, recvbuf, recvblock, root, size == 1 ? comm : context_of(comm), algorithm);
    }
  });
}
