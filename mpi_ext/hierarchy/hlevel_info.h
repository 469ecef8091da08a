// SPDX-License-Identifier: LGPL-2.1-only
// Level, index and siblings of a communicator of the hierarchy, cached on it (RR-9077, Sections 3.3.1 and 4.1.1).
//
// The paper attaches three (key, value) pairs with MPI_Comm_set_info. But MPI allows an implementation to drop keys
// that it does not know, and Open MPI does so. Here the info object is an attribute of the communicator instead. It is
// freed with the communicator, and a dup gets a copy.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

namespace strata::mpix {

struct HLevelInfo {
  std::string type;   // MPI_COMM_HLEVEL_TYPE
  int num_comms = 0;  // MPI_COMM_HLEVEL_NUM
  int index = 0;      // MPI_COMM_HLEVEL_RANK
};

/// Local. Returns the code of an MPI error that MPI has reported; `comm` is then unchanged. A type is cut to
/// MPI_MAX_INFO_VAL - 1 characters (Open MPI 255, MPICH 1023, SMPI 255).
int attach_hlevel_info(MPI_Comm comm, const HLevelInfo& info);

/// Empty if the communicator has none. Local.
std::optional<HLevelInfo> hlevel_info(MPI_Comm comm);

}  // namespace strata::mpix
