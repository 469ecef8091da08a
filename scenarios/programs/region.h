// SPDX-License-Identifier: LGPL-2.1-only
// Measured regions: the time until the last rank has finished.
#pragma once

#include <mpi.h>

#include "mpi_ext/adapter/measure.h"

namespace strata::programs {

/// The time (s) from a moment when all ranks of `comm` are ready until the last has finished `body`, which receives
/// that moment. All ranks get the same result. Collective.
template <class Body>
double time_until_last(MPI_Comm comm, const Body& body) {
  const double start = mpix::start_together(comm);
  body(start);
  const double mine = MPI_Wtime() - start;
  mpix::let_others_finish(comm);
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);  // SMPI cannot reduce on one rank
  return slowest;
}

/// Whether no rank leaves a barrier before the last has entered it. Rank 0 enters later than the others. `barrier`
/// enters and leaves the barrier. Collective.
template <class Barrier>
bool barrier_holds(MPI_Comm comm, const Barrier& barrier) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  mpix::start_together(comm);
  if (rank == 0) {
    char byte = 0, back = 0;
    MPI_Sendrecv(&byte, 1, MPI_CHAR, 0, 0, &back, 1, MPI_CHAR, 0, 0, comm, MPI_STATUS_IGNORE);
  }
  const double entered = MPI_Wtime();
  barrier();
  const double left = MPI_Wtime();
  mpix::let_others_finish(comm);
  double last_entered = 0;
  MPI_Allreduce(&entered, &last_entered, 1, MPI_DOUBLE, MPI_MAX, comm);
  return left >= last_entered;
}

}  // namespace strata::programs
