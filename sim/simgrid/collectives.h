// SPDX-License-Identifier: LGPL-2.1-only
// Two of SMPI's algorithms for MPI_Alltoallv, as src/smpi/include/smpi_coll.hpp (private; LGPL-2.1) of SimGrid 3.32
// and 4.0 declares them.
#pragma once

#include <mpi.h>

#include "sim/simgrid/version.h"

namespace simgrid::smpi {

/// In step i ranks whose numbers differ by exclusive or with i exchange their blocks. Throws std::invalid_argument if
/// the number of ranks is not a power of 2.
int alltoallv__pair(const void* sent, const int* send_counts, const int* send_places, MPI_Datatype send_type,
                    void* received, const int* receive_counts, const int* receive_places, MPI_Datatype receive_type,
                    MPI_Comm communicator);

/// In step i each rank sends to the one i after it and receives from the one i before it.
int alltoallv__ring(const void* sent, const int* send_counts, const int* send_places, MPI_Datatype send_type,
                    void* received, const int* receive_counts, const int* receive_places, MPI_Datatype receive_type,
                    MPI_Comm communicator);

inline constexpr const char* kAlltoallvPair =
    "_ZN7simgrid4smpi15alltoallv__pairEPKvPKiS4_PNS0_8DatatypeEPvS4_S4_S6_PNS0_4CommE";

}  // namespace simgrid::smpi
