// SPDX-License-Identifier: LGPL-2.1-only
// In-order binary reduce, for operations that do not commute: up a binary tree whose subtrees are ranges of ranks. The
// result is on the last rank, which sends it to the root if that is another rank
// (ompi_coll_base_reduce_intra_in_order_binary).
//
// Cost: that of a binary tree, plus one message.
#include "mpi_ext/coll/reduce.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

void reduce_in_order_binary(const void* mine, void* result, const Operands& o, int root, MPI_Comm comm,
                            int segment_bytes) {
  const int rank = rank_in(comm), size = size_of(comm), last = size - 1;
  const bool at_last = rank == last && root != last;
  const Scratch passed(at_last ? o.count : 0, o.datatype);
  reduce_tree(mine, at_last ? passed.data() : result, o, in_order_binary_tree(rank, size), comm, segment_bytes);
  if (at_last) send(passed.data(), o.count, o.datatype, root, comm);
  if (rank == root && root != last) receive(result, o.count, o.datatype, last, comm);
}

}  // namespace strata::mpix
