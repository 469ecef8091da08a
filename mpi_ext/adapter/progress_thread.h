// SPDX-License-Identifier: LGPL-2.1-only
// A process's progress thread. Under a real MPI it is a thread. SMPI's threads cannot communicate, so there it is
// another rank, in the address space that all ranks share.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>

#include "mpi_ext/adapter/line.h"

namespace strata::mpix {

/// Why progress threads cannot be started.
struct Obstacle {
  int error = MPI_SUCCESS;
  std::string what;  // a line for stderr; empty if `error` is sufficient
};

/// Whether progress threads can be started over `comm`. `application`: the number of first ranks of MPI_COMM_WORLD that
/// run the application, followed by their threads, according to the launcher (0: not given). Local. Throws
/// ReportedByMpi.
Obstacle find_obstacle(MPI_Comm comm, int application);

class ProgressThread {
 public:
  /// The work of the thread, which uses `lane` for its messages, until it receives a null pointer over the line.
  using Body = std::function<void(MPI_Comm lane, Line& line)>;

  /// `both` contains all processes, including the threads under SMPI, which are the second half of its ranks. `own`
  /// contains the caller's half under SMPI, otherwise all processes. Both return errors, and must outlive this object.
  /// On a rank that is a thread, the constructor runs the body and returns when the bodies of all threads have
  /// returned. Throws Unreported: MPI_ERR_OTHER, with a line on stderr, if no thread can be started. An exception from
  /// the body of a thread ends the program (MPI_Abort), with a line on stderr.
  ProgressThread(MPI_Comm own, MPI_Comm both, const Body& body);
  /// Ends the body of this process's thread.
  ~ProgressThread();
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

  /// The application's end. Not available on a rank that is a thread.
  Line& line();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strata::mpix
