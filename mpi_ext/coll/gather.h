// SPDX-License-Identifier: LGPL-2.1-only
// Internal gather and scatter algorithms over point-to-point messages. All are collective over `comm`, which returns
// errors and on which no other code sends with kTag, and throw Unreported. Arguments are valid, blocks are not empty,
// and comm has more than one member.
//
// `blocks` is the caller's memory: it contains the caller's own blocks on entry to a gather and on return from a
// scatter.
#pragma once

#include <mpi.h>

#include "mpi_ext/coll/blocks.h"

namespace strata::mpix {

/// linear: the root holds the blocks of all ranks in rank order; the others hold their own.
void gather_linear(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm);
void scatter_linear(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm);

/// binomial: with ranks counted from the root, v holds the blocks of its subtree in in_order_binomial_tree, that is, of
/// in_order_span ranks, of which v is the first. `shares` counts from the root too.
void gather_binomial(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm);
void scatter_binomial(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm);

/// As MPI_Gather (including MPI_IN_PLACE), with the algorithm MPIX_ALGORITHM_*. Blocks may be empty here, and comm may
/// have one member.
void gather(const void* sendbuf, const Block& sendblock, void* recvbuf, const Block& recvblock, int root, MPI_Comm comm,
            int algorithm);

/// The checks of gather and scatter (arguments.h): every process's own block, which only the root may have in place,
/// and on the root all blocks.
void check_gather_or_scatter(const void* own, const Block& block, const void* all, const Block& all_block, int root,
                             int rank, int size, int algorithm);

}  // namespace strata::mpix
