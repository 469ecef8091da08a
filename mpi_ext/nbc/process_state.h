// SPDX-License-Identifier: LGPL-2.1-only
// State of the nonblocking collectives for a process (under SMPI: for a rank of the application): the started progress
// threads, the collectives in flight, and the handles in use.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <mutex>

#include "mpi_ext/mpix.h"
#include "mpi_ext/nbc/ids.h"
#include "mpi_ext/nbc/operation.h"
#include "mpi_ext/nbc/rounds_engine.h"
#include "mpi_ext/nbc/session.h"

namespace strata::mpix {

class Process {
 public:
  Process();

  /// Starts an operation. Returns when the parts in the call are done: its error if it has ended with one, otherwise a
  /// handle in `request`. Throws Unreported.
  int start(std::shared_ptr<Operation> operation, MPIX_Request& request);
  /// The collective of a handle that has been started and not waited for; null if the handle is invalid. It counts as
  /// waited for from now on.
  std::shared_ptr<Operation> take(MPIX_Request request);
  void wait_for(const Operation& operation);
  /// The steps of a collective that has not been waited for. Throws Unreported (MPI_ERR_REQUEST) for an invalid handle.
  int steps_of(MPIX_Request request);
  /// Progresses all collectives as far as possible. Returns the collective if it is complete, and it then counts as
  /// waited for; otherwise null. Throws Unreported (MPI_ERR_REQUEST) for an invalid handle.
  std::shared_ptr<Operation> test(MPIX_Request request);
  bool has_open_requests();

  /// Null if no progress threads have been started. Must not be used while another thread calls.
  std::shared_ptr<Session> session;
  Ids ids;

 private:
  void leave(Operation& operation);
  Event resume(bool wait, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;  // of all below
  Line no_line_;
  Engine engine_;
  std::map<MPIX_Request, std::shared_ptr<Operation>> open_;
  MPIX_Request last_ = MPIX_REQUEST_NULL;
};

/// The calling rank's state. Lives as long as the program.
Process& this_process();

}  // namespace strata::mpix
