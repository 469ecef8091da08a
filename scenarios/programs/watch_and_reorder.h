// SPDX-License-Identifier: LGPL-2.1-only
// Two calls that reorder the ranks of an MPI program so that pairs that exchange many bytes are close (E. Jeannot, R.
// Sartori, PDSEC 2020, Section V). Copy this file, call the first before a typical iteration and the second after it,
// and continue with the communicator that it returns.
//
//   const MPI_M_msid watched = watch(comm);
//   iteration(comm);
//   comm = reorder(watched, comm);           // the processes of `comm` in another order
//   ... make or fetch the data of the new rank (MPIX_Comm_redistribute), and continue
//
// Both are collective. If monitoring is not available or something fails, a line on stderr says why, and the second
// returns MPI_COMM_NULL; `comm` is then still usable.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/mpix.h"

namespace strata::programs {

/// Starts to record what the processes of `comm` send to each other. Returns MPI_M_MSID_NULL if that is not possible.
inline MPI_M_msid watch(MPI_Comm comm) {
  MPI_M_msid session = MPI_M_MSID_NULL;
  int error = MPI_M_init();
  if (error == MPI_SUCCESS) error = MPI_M_start(comm, &session);
  if (error != MPI_SUCCESS) std::fprintf(stderr, "watch: %s\n", MPI_M_error_string(error));
  return error == MPI_SUCCESS ? session : MPI_M_MSID_NULL;
}

/// Stops recording, and returns the same processes in the order that suits their recorded messages.
inline MPI_Comm reorder(MPI_M_msid session, MPI_Comm comm) {
  int rank = 0, size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  std::vector<unsigned long> bytes(rank == 0 ? static_cast<std::size_t>(size) * size : 0);
  int error = MPI_M_suspend(session);
  if (error == MPI_SUCCESS) {
    error = MPI_M_rootgather_data(session, 0, MPI_M_DATA_IGNORE, bytes.data(), MPI_M_P2P_ONLY);
    MPI_M_free(session);
  }
  MPI_M_finalize();
  MPI_Comm reordered = MPI_COMM_NULL;
  if (error != MPI_SUCCESS) {
    std::fprintf(stderr, "reorder: %s\n", MPI_M_error_string(error));
  } else if (MPIX_Comm_reorder(comm, bytes.data(), &reordered) != MPI_SUCCESS) {
    reordered = MPI_COMM_NULL;
  }
  return reordered;
}

}  // namespace strata::programs
