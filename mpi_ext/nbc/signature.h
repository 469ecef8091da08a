// SPDX-License-Identifier: LGPL-2.1-only
// Checks whether all processes of a communicator have started the same collective. They compare digests before any data
// moves, so that no rank waits for a message that never comes.
//
// The algorithm is a dissemination of minima: in round k each rank sends the least digest that it has received so far,
// and the least complement of one, to the rank 2^k after it. After ceil(log2 n) rounds of 16 bytes all know the least
// and the greatest digest, and so whether they differ (Hensgen, Finkel, Manber, IJPP 1988, for the rounds).
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <string>

#include "mpi_ext/nbc/operation.h"
#include "mpi_ext/nbc/rounds.h"

namespace strata::mpix {

/// The collective that a process has started.
struct Signature {
  NbcCase what;
  long bytes = 0;  // of the whole message; for a scatter or gather, of one rank's block
  MPI_Op op = MPI_OP_NULL;

  /// For messages: "MPIX_Ireduce of 40 B, root 0, MPI_SUM".
  std::string text() const;
};

/// The part of an operation that compares. It ends with MPI_ERR_ARG if processes differ; two of those that differ then
/// print on stderr what each has started.
Part comparison(const Signature& signature);

}  // namespace strata::mpix
