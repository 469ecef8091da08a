// SPDX-License-Identifier: LGPL-2.1-only
// Ring allgather: p - 1 times, each rank passes the block that it received last to its right neighbour, beginning with
// its own block (ompi_coll_base_allgather_intra_ring).
//
// Cost in Hockney's model, with blocks of m bytes: (p - 1)(alpha + m beta).
#include "mpi_ext/coll/allgather.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

void allgather_ring(void* blocks, const Block& block, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int step = 0; step < size - 1; ++step) {
    const int passed = (rank - step + size) % size, next = (rank - step - 1 + size) % size;
    exchange(block.at(blocks, passed), block.count, block.datatype, right, block.at(blocks, next), block.count,
             block.datatype, left, comm);
  }
}

}  // namespace strata::mpix
