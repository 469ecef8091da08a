// SPDX-License-Identifier: LGPL-2.1-only
// A process's progress thread. Under a real MPI a thread; under SMPI, whose threads cannot communicate, another rank,
// which shares the address space of all.
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
  std::string what;  // a line for stderr; empty where the error says it
};

/// Whether they can be started over `comm`, where the launcher says that its first `application` ranks of
/// MPI_COMM_WORLD have their threads behind them (0: it says nothing). Local. Throws ReportedByMpi.
Obstacle find_obstacle(MPI_Comm comm, int application);

class ProgressThread {
 public:
  /// Does the work of the thread, which has `lane` for its messages, until a null pointer comes along the line.
  using Body = std::function<void(MPI_Comm lane, Line& line)>;

  /// `both` is of all processes, under SMPI the threads included: the second half of the ranks. `own` is of the half
  /// that the caller is in, elsewhere of all. Both return errors, and must outlive this. On a rank that is a thread the
  /// body runs within, and returns when those of all threads have. Throws Unreported: MPI_ERR_OTHER and a line on
  /// stderr where no thread can be started. What the body of a thread throws ends the program (MPI_Abort), with a line
  /// on stderr.
  ProgressThread(MPI_Comm own, MPI_Comm both, const Body& body);
  /// Ends the body of this process's thread.
  ~ProgressThread();
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

  /// The application's end. Not there on a rank that is a thread.
  Line& line();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strata::mpix
