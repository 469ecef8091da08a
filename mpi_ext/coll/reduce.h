// SPDX-License-Identifier: LGPL-2.1-only
// Reduce algorithms over point-to-point messages, for use inside the library. All are collective over `comm`, a
// communicator on which no other code sends with kTag and that returns errors, and throw Unreported. Arguments are
// valid, the message is not empty, comm has more than one member.
//
// `mine` is the caller's contribution. `result` is used at the root alone: where the result goes, which may be `mine`.
#pragma once

#include <mpi.h>

#include "mpi_ext/coll/tree.h"

namespace strata::mpix {

/// A rank's input to a reduction.
struct Operands {
  int count;
  MPI_Datatype datatype;
  MPI_Op op;
};

void reduce_linear(const void* mine, void* result, const Operands& o, int root, MPI_Comm comm);
/// To the root of `tree`. Keeps the order of the ranks on in_order_binary_tree alone.
void reduce_tree(const void* mine, void* result, const Operands& o, const Tree& tree, MPI_Comm comm, int segment_bytes);
void reduce_in_order_binary(const void* mine, void* result, const Operands& o, int root, MPI_Comm comm,
                            int segment_bytes);

/// The algorithm that MPIX_ALGORITHM_* names, or the in-order binary tree where that would not keep the order of the
/// ranks and must. Here the message may be empty and comm have one member.
void reduce(const void* mine, void* result, const Operands& o, int root, MPI_Comm comm, int algorithm,
            int segment_bytes);

/// Where the caller's contribution is: `recvbuf` with MPI_IN_PLACE.
inline const void* contribution(const void* sendbuf, const void* recvbuf) {
  return sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
}

/// What MPIX_Reduce and MPIX_Hierarchy_reduce find wrong with their arguments (arguments.h).
void check_reduce(const void* sendbuf, const void* recvbuf, const Operands& o, int root, int rank, int size,
                  int algorithm, int segment_bytes);

}  // namespace strata::mpix
