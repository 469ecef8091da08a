// SPDX-License-Identifier: LGPL-2.1-only
// The meaning of a collective, independent of its algorithm: the ranks for which a caller has data. These are counted
// as Kind::kCollective, one message for each such rank, for MPI's own collectives, if they are seen, and for those of
// mpix.h.
//
//   MPI_Bcast, MPI_Scatter(v)                the root has data for each other
//   MPI_Reduce, MPI_Gather(v)                each has data for the root
//   MPI_Allreduce, MPI_Reduce_scatter(_block)
//   MPI_Allgather(v), MPI_Alltoall(v, w)     each has data for each other
//   MPI_Barrier                              each has data for each other: nothing, 0 bytes
//   MPI_Scan, MPI_Exscan                     each has data for all that come after it
//   MPI_Neighbor_*                           each has data for each neighbour that it sends to, one message an edge
//
// No rank has data for itself, even if it is its own neighbour. The number of bytes is the data given to the other
// rank: the whole buffer (bcast, reduce, allreduce, scan, allgather), its block (scatter, alltoall), or its part of the
// result (reduce_scatter). A block of no bytes is a message of 0 bytes. With MPI_IN_PLACE the block is that of the
// receive buffer.
//
// This is also how Open MPI's monitoring component counts (ompi/mca/coll/monitoring of 4.1), except for reduce and
// gather, which it counts at the root as if the root sent.
#pragma once

namespace strata::mpix {

enum class Meaning { kFromRoot, kToRoot, kToAll, kToLater };

/// Calls `tell` with each rank of `size` for which `rank` has data, in increasing order. `root` is used only by
/// collectives that have one.
template <class Tell>
void for_each_receiver(Meaning meaning, int rank, int size, int root, const Tell& tell) {
  const auto tell_others = [&](int first) {
    for (int r = first; r < size; ++r) {
      if (r != rank) tell(r);
    }
  };
  switch (meaning) {
    case Meaning::kFromRoot:
      if (rank == root) tell_others(0);
      return;
    case Meaning::kToRoot:
      if (rank != root) tell(root);
      return;
    case Meaning::kToAll:
      return tell_others(0);
    case Meaning::kToLater:
      return tell_others(rank + 1);
  }
}

}  // namespace strata::mpix
