// SPDX-License-Identifier: LGPL-2.1-only
// Gather and scatter over point-to-point messages, for use inside the library. All are collective over `comm`, a
// communicator on which no other code sends with kTag and that returns errors, and throw Unreported. Arguments are
// valid, blocks are not empty, comm has more than one member.
//
// `blocks` is what the caller holds: on entry of a gather its own are there, on return of a scatter too.
#pragma once

#include <mpi.h>

#include "mpi_ext/coll/blocks.h"

namespace strata::mpix {

/// linear: the root holds the blocks of all in the order of the ranks; the others their own.
void gather_linear(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm);
void scatter_linear(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm);

/// binomial: with ranks counted from the root, v holds the blocks of its subtree in in_order_binomial_tree: of
/// in_order_span ranks, itself the first. `shares` counts from the root too.
void gather_binomial(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm);
void scatter_binomial(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm);

/// What MPI_Gather does (MPI_IN_PLACE and all), by the algorithm that MPIX_ALGORITHM_* names. Here blocks may be empty
/// and comm have one member.
void gather(const void* sendbuf, const Block& sendblock, void* recvbuf, const Block& recvblock, int root, MPI_Comm comm,
            int algorithm);

/// What a gather or a scatter finds wrong with its arguments (arguments.h): with those of everybody's own block, which
/// the root alone may have in place, and on the root with those of all blocks.
void check_gather_or_scatter(const void* own, const Block& block, const void* all, const Block& all_block, int root,
                             int rank, int size, int algorithm);

}  // namespace strata::mpix
