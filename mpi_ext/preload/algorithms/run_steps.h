// SPDX-License-Identifier: LGPL-2.1-only
// Does the steps of a schedule with SMPI's messages, on a rank's buffers. For example, what rank 1 does in a broadcast
// of 100 doubles:
//
//   Steps steps;
//   binomial_broadcast(call, {}, 1, steps);
//   run_steps(steps, {.output = buffer, .type = MPI_DOUBLE}, comm);
//
// Copies and reductions take the time that SMPI's own take inside a collective (tap/collective_charge.h).
#pragma once

#include <mpi.h>

#include "collectives/schedules/steps.h"

namespace strata::mpix {

struct CallBuffers {
  const void* input = nullptr;  // with MPI_IN_PLACE: where the rank's data are in the output
  void* output = nullptr;
  MPI_Datatype type = MPI_BYTE;  // its elements are contiguous, also one after the other
  MPI_Op op = MPI_OP_NULL;       // of a reduction
};

/// Returns MPI_SUCCESS, or the first error of a step.
int run_steps(const collectives::Steps& steps, const CallBuffers& buffers, MPI_Comm comm);

}  // namespace strata::mpix
