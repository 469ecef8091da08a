// SPDX-License-Identifier: LGPL-2.1-only
// The object that MPIX_Progress_start makes and MPIX_Progress_stop destroys.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>

#include "mpi_ext/adapter/progress_thread.h"
#include "mpi_ext/adapter/transport.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/nbc/thread_places.h"

namespace strata::mpix {

struct Session {
  MPI_Comm application = MPI_COMM_NULL;  // the user's
  OwnComm own;                           // a copy of it
  OwnComm both;                          // progress threads; under SMPI also the application's ranks
  std::optional<Lane> lane;              // on `own`
  std::unique_ptr<ProgressThread> thread;
  bool used = false;  // nonblocking collectives have used the thread
  ThreadPlaces places;

  /// Ends the thread and frees the communicators. Collective over the application.
  void close();
};

}  // namespace strata::mpix
