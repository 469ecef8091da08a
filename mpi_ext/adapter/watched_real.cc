// SPDX-License-Identifier: LGPL-2.1-only
#include <mpi.h>

#include "mpi_ext/adapter/watched.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

const char* const kTapName = "pmpi";

ProcessId own_process() { return rank_in(MPI_COMM_WORLD); }

ProcessId process_of(int world_rank) { return world_rank >= 0 ? world_rank : -1; }  // MPI_UNDEFINED is negative

Between between_processes(ProcessId sender, ProcessId receiver) { return {sender, receiver}; }

std::size_t slot_of(ProcessId) { return 0; }

Marks& own_marks() {
  thread_local Marks marks;
  return marks;
}

Marks marks_of(ProcessId) { return own_marks(); }

}  // namespace strata::mpix
