// SPDX-License-Identifier: LGPL-2.1-only
// MPIX_Gather: checks the arguments, finds the communicator's context, places the caller's block where the algorithm
// needs it, and puts the root's blocks into the order of the ranks.
#include "mpi_ext/coll/gather.h"

#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/coll/tree.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

void gather(const void* sendbuf, const Block& sendblock, void* recvbuf, const Block& recvblock, int root, MPI_Comm comm,
            int algorithm) {
  const int rank = rank_in(comm), size = size_of(comm);
  const int v = (rank - root + size) % size;
  const bool linear = algorithm == MPIX_ALGORITHM_LINEAR;
  if (rank != root) {
    if (sendblock.empty()) return;
    const int held = linear ? 1 : in_order_span(v, size);
    void* mine = const_cast<void*>(sendbuf);  // a leaf only sends
    if (held == 1)
      return linear ? gather_linear(mine, sendblock, {}, root, comm) : gather_binomial(mine, sendblock, {}, root, comm);
    const Scratch blocks(static_cast<long>(held) * sendblock.count, sendblock.datatype);
    copy_block(sendbuf, sendblock, blocks.data(), sendblock);
    return gather_binomial(blocks.data(), sendblock, {}, root, comm);
  }
  if (recvblock.empty()) return;
  // If the root is not rank 0, blocks counted from the root have a different order than those of recvbuf.
  const bool rotated = !linear && root != 0;
  const Scratch other(rotated ? static_cast<long>(size) * recvblock.count : 0, recvblock.datatype);
  void* blocks = rotated ? other.data() : recvbuf;
  const auto place = [&](int of_rank) {
    return recvblock.at(blocks, linear ? of_rank : (of_rank - root + size) % size);
  };
  if (sendbuf != MPI_IN_PLACE) {
    copy_block(sendbuf, sendblock, place(root), recvblock);
  } else if (rotated) {
    copy_block(recvblock.at(recvbuf, root), recvblock, place(root), recvblock);
  }
  if (size == 1) return;
  if (linear) return gather_linear(blocks, recvblock, {}, root, comm);
  gather_binomial(blocks, recvblock, {}, root, comm);
  for (int r = 0; rotated && r < size; ++r) copy_block(place(r), recvblock, recvblock.at(recvbuf, r), recvblock);
}

void check_gather_or_scatter(const void* own, const Block& block, const void* all, const Block& all_block, int root,
                             int rank, int size, int algorithm) {
  if (algorithm != MPIX_ALGORITHM_LINEAR && algorithm != MPIX_ALGORITHM_BINOMIAL) check(MPI_ERR_ARG);
  check_root(root, size);
  if (rank != root || own != MPI_IN_PLACE) {
    check_message(block.count, block.datatype);
    check_buffer(own, block.count, block.datatype);
  }
  if (rank != root) return;
  check_message(all_block.count, all_block.datatype);
  check_buffer(all, all_block.count, all_block.datatype);
  check_distinct(own, all, all_block.count, all_block.datatype);
}

}  // namespace strata::mpix

extern "C" int MPIX_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, int root, MPI_Comm comm, int algorithm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return on_intracomm(comm, [&](int size) {
    const int rank = rank_in(comm);
    const Block sendblock{sendcount, sendtype}, recvblock{recvcount, recvtype};
    check_gather_or_scatter(sendbuf, sendblock, recvbuf, recvblock, root, rank, size, algorithm);
    if (rank != root) monitoring::called(comm, Meaning::kToRoot, root, sendcount, sendtype);
    if (!(rank == root ? recvblock : sendblock).empty()) {
      gather(sendbuf, sendblock, recvbuf, recvblock, root, size == 1 ? comm : context_of(comm), algorithm);
    }
  });
}
