// SPDX-License-Identifier: LGPL-2.1-only
// The work that an MPI library does in its calls besides sending: copies in memory and the operations of reductions.
// Without virtual time for it, an allgather would copy a rank's own block for nothing, and an allreduce of 1 MiB would
// add nothing up. For example, in MPI_Allreduce of 8 KiB:
//
//   the library calls memcpy(result, own, 8192)           a copy of 8 KiB
//   it receives 8 KiB, and calls its function for MPI_SUM   a combination of two operands of 8 KiB
//   it sends the result                                   before that, the coordinator learns of both
//
// The library's calls of memcpy and memmove are found in the tables in which it keeps the addresses of the C library's
// functions (library_copies.cc), its operations where it keeps theirs (open_mpi_operations.cc, mpich_operations.cc).
// The program's own copies and operations are part of its computation.
//
// Work on less than kShort takes the time that it takes alone, and the rank goes on. The rest is posted; if cores share
// memory, the rank waits for its end.
#pragma once

#include <cstddef>

#include "native/board/board_message.h"

namespace strata::native {

/// Once, at the end of MPI_Init: finds copies, and the operations of the library. False if these are not found.
void find_copies();
bool find_operations_of_open_mpi();
bool find_operations_of_mpich();

/// The library copies `bytes` (kCopy), or combines two operands of `bytes` each (kCombine), between these buffers.
/// Ignored outside MPI functions and virtual time. Any thread, with or without lock().
void note_work(Kind kind, std::size_t bytes, const void* from, const void* to);

/// Charges what this thread has noted. Call it before the rank sends, receives, waits, or leaves MPI; as post(), it may
/// wait for the coordinator.
void charge_work();

/// Replaces a function that `*place` has the address of. The place may be in a page that cannot be written.
void replace_address(void** place, void* address);

}  // namespace strata::native
