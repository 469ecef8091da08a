// SPDX-License-Identifier: LGPL-2.1-only
// Internal broadcast algorithms over point-to-point messages. All are collective over `comm`, which returns errors and
// on which no other code sends with kTag, and throw Unreported. Arguments are valid, the message is not empty, and comm
// has more than one member.
#pragma once

#include <mpi.h>

#include "mpi_ext/coll/tree.h"

namespace strata::mpix {

void bcast_linear(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
/// How a rank sends a segment to its children: it starts all sends and then waits for all, or waits for each send
/// before the next.
enum class Sends { kAtOnce, kInTurn };
void bcast_tree(void* buffer, int count, MPI_Datatype datatype, const Tree& tree, MPI_Comm comm, int segment_bytes,
                Sends sends);
void bcast_split_binary(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int segment_bytes);

/// Runs the algorithm MPIX_ALGORITHM_*. The message may be empty here, and comm may have one member.
void bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int algorithm, int segment_bytes);

/// The checks of MPIX_Bcast and MPIX_Hierarchy_bcast (arguments.h).
void check_bcast(const void* buffer, int count, MPI_Datatype datatype, int root, int size, int algorithm,
                 int segment_bytes);

}  // namespace strata::mpix
