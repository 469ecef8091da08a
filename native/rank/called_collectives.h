// SPDX-License-Identifier: LGPL-2.1-only
// The collectives that the program calls, for a recording (CollectiveCalls in records/trace/trace.h): what SMPI's side
// does in sim/profile/collective_calls.h, with the arguments as an entry gets them. For example, on rank 0 of a
// communicator of ranks 4 to 7:
//
//   MPI_Bcast(buffer, 100, MPI_DOUBLE, 0, comm)       posts kCollective: MPI_Bcast, 800 B, ranks 4, 5, 6, 7
//
// The library's own functions say what a handle is, so this works for both libraries, in C and Fortran.
#pragma once

#include <cstdint>

namespace strata::native {

/// At the entry of a function, when the run is recorded. `arguments`: the six in registers; `on_stack`: those after
/// them. No effect for other functions, on the other ranks of the communicator, or between two groups.
void note_collective(int function, bool is_fortran, const std::uint64_t* arguments, const std::uint64_t* on_stack);

}  // namespace strata::native
