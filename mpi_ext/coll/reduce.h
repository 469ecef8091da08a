// SPDX-License-Identifier: LGPL-2.1-only
// Internal reduce algorithms over point-to-point messages. All are collective over `comm`, which returns errors and on
// which no other code sends with kTag, and throw Unreported. Arguments are valid, the message is not empty, and comm
// has more than one member.
//
// `mine` is the caller's contribution. `result` receives the result on the root, and is not used on other ranks. It may
// be `mine`.
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
/// Reduces to the root of `tree`. Keeps rank order only on in_order_binary_tree.
void reduce_tree(const void* mine, void* result, const Operands& o, const Tree& tree, MPI_Comm comm, int segment_bytes);
void reduce_in_order_binary(const void* mine, void* result, const Operands& o, int root, MPI_Comm comm,
                            int segment_bytes);

/// Runs the algorithm MPIX_ALGORITHM_*, or the in-order binary tree if that algorithm does not keep rank order and
/// must. The message may be empty here, and comm may have one member.
void reduce(const void* mine, void* result, const Operands& o, int root, MPI_Comm comm, int algorithm,
            int segment_bytes);

/// The buffer with the caller's contribution: `recvbuf` if sendbuf is MPI_IN_PLACE.
inline const void* contribution(const void* sendbuf, const void* recvbuf) {
  return sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
}

/// The checks of MPIX_Reduce and MPIX_Hierarchy_reduce (arguments.h).
void check_reduce(const void* sendbuf, const void* recvbuf, const Operands& o, int root, int rank, int size,
                  int algorithm, int segment_bytes);

}  // namespace strata::mpix
