// SPDX-License-Identifier: LGPL-2.1-only
// Linear gather and scatter: all ranks send to the root, which receives one after another in the order of the ranks; or
// the root sends to all ranks in that order (ompi_coll_base_gather_intra_basic_linear, ..._scatter_...).
//
// Cost in Hockney's model, with blocks of m bytes: (p - 1)(alpha + m beta).
#include "mpi_ext/coll/gather.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

void gather_linear(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  if (rank != root) return send_blocks(blocks, shares.number(rank, 1), block, root, comm);
  for (int from = 0; from < size; ++from) {
    if (from != root) receive_blocks(block.at(blocks, shares.begin(from)), shares.number(from, 1), block, from, comm);
  }
}

void scatter_linear(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  if (rank != root) return receive_blocks(blocks, shares.number(rank, 1), block, root, comm);
  for (int to = 0; to < size; ++to) {
    if (to != root) send_blocks(block.at(blocks, shares.begin(to)), shares.number(to, 1), block, to, comm);
  }
}

}  // namespace strata::mpix
