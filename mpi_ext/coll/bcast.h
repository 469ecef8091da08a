// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast algorithms over point-to-point messages, for use inside the library. All are collective over `comm`, a
// communicator on which no other code sends with kTag and that returns errors, and throw Unreported. Arguments are
// valid, the message is not empty, comm has more than one member.
#pragma once

#include <mpi.h>

#include "mpi_ext/coll/tree.h"

namespace strata::mpix {

void bcast_linear(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
/// How a rank sends a segment to its children: all sends started, then all waited for; or each waited for before the
/// next.
enum class Sends { kAtOnce, kInTurn };
void bcast_tree(void* buffer, int count, MPI_Datatype datatype, const Tree& tree, MPI_Comm comm, int segment_bytes,
                Sends sends);
void bcast_split_binary(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int segment_bytes);

/// The algorithm that MPIX_ALGORITHM_* names. Here the message may be empty and comm have one member.
void bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int algorithm, int segment_bytes);

/// What MPIX_Bcast and MPIX_Hierarchy_bcast find wrong with their arguments (arguments.h).
void check_bcast(const void* buffer, int count, MPI_Datatype datatype, int root, int size, int algorithm,
                 int segment_bytes);

}  // namespace strata::mpix
