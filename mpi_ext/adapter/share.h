// SPDX-License-Identifier: LGPL-2.1-only
// Values that are the same on all ranks of a communicator, stored once where ranks share an address space. Under SMPI
// all ranks are threads of control of one process: what is O(P) on each of P ranks of a real machine would be O(P^2)
// memory there, so the communicator's rank 0 makes it and gives the others its address. Under a real MPI each process
// makes its own.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace strata::mpix {

/// Whether the calling process is one that makes what all know: everybody, but under SMPI rank 0. Throws ReportedByMpi.
bool is_maker(MPI_Comm comm);

/// Everybody's `bytes` bytes at `mine`, by rank, for the makers; nothing for the others. Collective over `comm`: one
/// MPI_Allgather; under SMPI one MPI_Gather. Throws ReportedByMpi.
std::vector<std::byte> gather_for_makers(MPI_Comm comm, const void* mine, int bytes);

/// Copies rank 0's `data` to that of all makers. Collective over `comm`: one MPI_Bcast; under SMPI, where rank 0
/// is the only maker, nothing. Throws ReportedByMpi.
void broadcast_to_makers(MPI_Comm comm, void* data, int bytes);

/// What the caller has made, or what the maker has. A maker that could not make it gives null. Collective over `comm`
/// under SMPI (one MPI_Bcast of an address), local elsewhere. Throws ReportedByMpi.
std::shared_ptr<void> shared_with_all(MPI_Comm comm, std::shared_ptr<void> made);

}  // namespace strata::mpix
