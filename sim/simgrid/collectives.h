// SPDX-License-Identifier: LGPL-2.1-only
// Six of SMPI's algorithms, as src/smpi/include/smpi_coll.hpp (private; LGPL-2.1) of SimGrid 3.32 and 4.0 declares
// them, and what some of them are made of (private.hpp).
#pragma once

#include <mpi.h>

#include "sim/simgrid/datatype.h"
#include "sim/simgrid/version.h"

namespace simgrid::smpi {

/// In step i ranks whose numbers differ by exclusive or with i exchange their blocks. Throws std::invalid_argument if
/// the number of ranks is not a power of 2.
int alltoall__pair(const void* sent, int send_count, MPI_Datatype send_type, void* received, int receive_count,
                   MPI_Datatype receive_type, MPI_Comm communicator);
int alltoallv__pair(const void* sent, const int* send_counts, const int* send_places, MPI_Datatype send_type,
                    void* received, const int* receive_counts, const int* receive_places, MPI_Datatype receive_type,
                    MPI_Comm communicator);

/// In step i each rank sends to the one i after it and receives from the one i before it.
int alltoall__ring(const void* sent, int send_count, MPI_Datatype send_type, void* received, int receive_count,
                   MPI_Datatype receive_type, MPI_Comm communicator);
int alltoallv__ring(const void* sent, const int* send_counts, const int* send_places, MPI_Datatype send_type,
                    void* received, const int* receive_counts, const int* receive_places, MPI_Datatype receive_type,
                    MPI_Comm communicator);

/// The root starts a send to each other rank, in the order of their numbers, and waits for all.
int scatter__ompi_linear_nb(const void* sent, int send_count, MPI_Datatype send_type, void* received, int receive_count,
                            MPI_Datatype receive_type, int root, MPI_Comm communicator);

/// A tree in which the root of each part has up to three children, nearest first; at the first call on a communicator
/// the ranks exchange where they are (Comm::init_smp).
int bcast__mvapich2_knomial_intra_node(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator);

inline constexpr int kScatterTag = -223;     // COLL_TAG_SCATTER
inline constexpr int kBroadcastTag = -3334;  // COLL_TAG_BCAST
inline constexpr int kKnomialDegree = 4;     // mv2_intra_node_knomial_factor
inline constexpr const char* kAlltoallPair = "_ZN7simgrid4smpi14alltoall__pairEPKviPNS0_8DatatypeEPviS4_PNS0_4CommE";
inline constexpr const char* kAlltoallvPair =
    "_ZN7simgrid4smpi15alltoallv__pairEPKvPKiS4_PNS0_8DatatypeEPvS4_S4_S6_PNS0_4CommE";
inline constexpr const char* kScatterLinearNonblocking =
    "_ZN7simgrid4smpi23scatter__ompi_linear_nbEPKviPNS0_8DatatypeEPviS4_iPNS0_4CommE";
inline constexpr const char* kBroadcastKnomial =
    "_ZN7simgrid4smpi34bcast__mvapich2_knomial_intra_nodeEPviPNS0_8DatatypeEiPNS0_4CommE";

}  // namespace simgrid::smpi
