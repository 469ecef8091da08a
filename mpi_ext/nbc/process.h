// What the nonblocking collectives keep for a process (under SMPI: for a rank of the application): the progress threads
// that were started, the collectives in flight, and the handles that were given out.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "mpi_ext/mpix.h"
#include "mpi_ext/nbc/engine.h"
#include "mpi_ext/nbc/operation.h"
#include "mpi_ext/nbc/session.h"

namespace strata::mpix {

/// Ids of communicators that are in use, a bit each.
class Ids {
 public:
  static constexpr int kIds = 1024;  // communicators of a process at a time; leaves each at least 2^4 tags
  using Bits = std::array<std::uint64_t, kIds / 64>;

  /// What is free, for one thread at a time: nothing, while another has asked. To be given back.
  Bits borrow(bool& borrowed);
  /// Gives back, and takes `id`; -1 takes none.
  void give_back(int id);
  void release(int id);

 private:
  std::mutex mutex_;
  bool borrowed_ = false;
  Bits used_{};
};

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
