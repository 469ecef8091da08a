// SPDX-License-Identifier: LGPL-2.1-only
// Counts the library's calls of MPI functions that communicate, through MPI's profiling interface.
#pragma once

namespace strata::mpix::testing {

struct Calls {
  int allreduce = 0, allgather = 0, comm_create = 0, comm_create_group = 0;
  // MPI_Comm_split, MPI_Comm_split_type, MPI_Comm_dup, MPI_Bcast, MPI_Gather, MPI_Alltoall, MPI_Barrier.
  int others = 0;
  bool operator==(const Calls&) const = default;
};

/// Calls of this rank since its last forget_calls().
const Calls& calls();
void forget_calls();

}  // namespace strata::mpix::testing
