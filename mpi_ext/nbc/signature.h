// SPDX-License-Identifier: LGPL-2.1-only
// Whether all processes of a communicator have started the same collective: found by comparing digests before anything
// is moved, so that no rank waits for a message that never comes.
//
// A dissemination of minima: in round k each rank gives the least digest that it has heard of, and the least complement
// of one, to the rank 2^k after it. After ceil(log2 n) rounds of 16 bytes all know the least and the greatest of all,
// and where these differ all know it (Hensgen, Finkel, Manber, IJPP 1988, for the rounds).
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <string>

#include "mpi_ext/nbc/operation.h"
#include "mpi_ext/nbc/schedule.h"

namespace strata::mpix {

/// What a process has started.
struct Signature {
  NbcCase what;
  long bytes = 0;  // of the whole message; of a scatter or gather a rank's
  MPI_Op op = MPI_OP_NULL;

  /// For people: "MPIX_Ireduce of 40 B, root 0, MPI_SUM".
  std::string text() const;
};

/// The part of an operation that compares; at its end MPI_ERR_ARG where processes differ, and on two of these a line on
/// stderr that says what each has started.
Part comparison(const Signature& signature);

}  // namespace strata::mpix
