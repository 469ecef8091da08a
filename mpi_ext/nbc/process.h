// SPDX-License-Identifier: LGPL-2.1-only
// State of the nonblocking collectives for a process (under SMPI: for a rank of the application): the progress threads
// that were started, the collectives in flight, and the handles that were given out.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <mutex>

#include "mpi_ext/mpix.h"
#include "mpi_ext/nbc/engine.h"
#include "mpi_ext/nbc/ids.h"
#include "mpi_ext/nbc/operation.h"
#include "mpi_ext/nbc/session.h"

namespace strata::mpix {

class Process {
 public:
  Process();

  /// Starts it. Returns when what is to be done in the call is done: with the error that it has ended with, else with a
  /// handle. Throws Unreported.
  int start(std::shared_ptr<Operation> operation, MPIX_Request& request);
  /// Of a collective that has been started and not waited for; null where there is none of that handle. It is waited
  /// for from now on.
  std::shared_ptr<Operation> take(MPIX_Request request);
  void wait_for(const Operation& operation);
  /// Of one that has not been waited for. Throws Unreported, MPI_ERR_REQUEST, where there is none of that handle.
  int steps_of(MPIX_Request request);
  /// Whether a collective that has not been waited for is complete, having gone on with all as far as they go; it is
  /// waited for then. Null where not; throws Unreported, MPI_ERR_REQUEST, where there is none of that handle.
  std::shared_ptr<Operation> test(MPIX_Request request);
  bool has_open_requests();

  /// Null where no progress threads have been started. Not while another thread calls.
  std::shared_ptr<Session> session;
  Ids ids;

 private:
  void leave(Operation& operation);
  Event go_on(bool wait, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;  // of all below
  Line no_line_;
  Engine engine_;
  std::map<MPIX_Request, std::shared_ptr<Operation>> open_;
  MPIX_Request last_ = MPIX_REQUEST_NULL;
};

/// The calling rank's. Lives as long as the program.
Process& this_process();

}  // namespace strata::mpix
