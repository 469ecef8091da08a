// SPDX-License-Identifier: LGPL-2.1-only
// SMPI's functions for the checks' own questions, such as the size of a communicator. They come from the library of
// missing functions (mpi_ext/preload/supply), if it is preloaded, otherwise from libsimgrid, so no profile counts them:
//
//   int size = 0;
//   STRATA_SMPIS(Comm_size)(comm, &size);
#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <memory>
#include <vector>

namespace strata::mpix {

void* find_in_smpi(const char* name);

}  // namespace strata::mpix

#define STRATA_SMPIS(name)                                                                                          \
  ([] {                                                                                                             \
    static auto* const found = reinterpret_cast<decltype(&PMPI_##name)>(strata::mpix::find_in_smpi("PMPI_" #name)); \
    return found;                                                                                                   \
  }())

namespace strata::mpix {

/// A communicator of the calling rank.
struct CommInfo {
  int id = 0;  // the same for all its ranks
  int rank = 0, size = 0;
  bool inter = false;
  int remote_size = 0;                                    // of an intercommunicator
  std::shared_ptr<const std::vector<long>> members = {};  // by rank, the ranks in MPI_COMM_WORLD
};

/// The communicator is not null. Valid until forget_comm.
const CommInfo& comm_info(MPI_Comm comm);
/// Call it when the calling rank frees the communicator, or makes one at the same address.
void forget_comm(MPI_Comm comm);

}  // namespace strata::mpix
