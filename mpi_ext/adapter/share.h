// SPDX-License-Identifier: LGPL-2.1-only
// Values that are the same on all ranks of a communicator, stored once if ranks share an address space. Under SMPI all
// ranks run in one process: data of size O(P) on each of P ranks of a real machine would take O(P^2) memory there. So
// rank 0 of the communicator makes it and sends its address to the others. Under a real MPI each process makes its own.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace strata::mpix {

/// Whether the calling process makes the shared values: every process, but under SMPI only rank 0. Throws
/// ReportedByMpi.
bool is_maker(MPI_Comm comm);

/// For makers: the `bytes` bytes at `mine` of all ranks, in rank order. Empty for other ranks. Collective over `comm`:
/// one MPI_Allgather; under SMPI one MPI_Gather. Throws ReportedByMpi.
std::vector<std::byte> gather_for_makers(MPI_Comm comm, const void* mine, int bytes);

/// Copies rank 0's `data` to all makers. Collective over `comm`: one MPI_Bcast. Does nothing under SMPI, where rank 0
/// is the only maker. Throws ReportedByMpi.
void broadcast_to_makers(MPI_Comm comm, void* data, int bytes);

/// The value that the caller, or its maker, has made. A maker passes null if it failed. Collective over `comm` under
/// SMPI (one MPI_Bcast of an address), otherwise local. Throws ReportedByMpi.
std::shared_ptr<void> shared_with_all(MPI_Comm comm, std::shared_ptr<void> made);

}  // namespace strata::mpix
