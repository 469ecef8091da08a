// What each core was busy with, for a Gantt chart: under SMPI told to the platform plugin, which writes the trace
// (Paje) where it was asked for; under a real MPI nobody asks.
#pragma once

namespace strata::mpix {

enum class Doing : int {
  kComputing = 0,  // the application's own arithmetic
  kCopying = 1,    // one end of a message, or a local copy
  kCombining = 2,  // a reduction's operation
  kWaiting = 3,    // in a call that waits
};

/// Says what the calling rank did from `start` to now, s as MPI_Wtime has them. No rank of a process does two things at
/// once. Local.
void record(Doing what, double start);

}  // namespace strata::mpix
