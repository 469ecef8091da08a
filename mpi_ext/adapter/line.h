// SPDX-License-Identifier: LGPL-2.1-only
// The line between a process's application thread and its progress thread. It carries pointers in both directions. A
// thread that reads it can wait for MPI messages at the same time.
//
// Under SMPI a pointer is a message of 8 bytes, which travels like a cache line between two cores, and waiting is one
// MPI_Waitany: polling would either cost simulated time, or cost none and never end. Under a real MPI the line is a
// queue with a lock. A waiting thread sleeps if it waits for the queue only; otherwise it polls MPI and gives the core
// to others (sched_yield) between two polls.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <span>

namespace strata::mpix {

/// The event that ended a wait.
struct Event {
  enum class What { kNothing, kPointer, kRequest };
  What what = What::kNothing;  // kNothing: the awaited event may have happened; check, and wait again
  void* pointer = nullptr;
  int request = -1;         // the completed request, already freed
  int error = MPI_SUCCESS;  // of that request
};

class Line {
 public:
  struct Shared;  // real MPI: data that both ends share

  /// A missing line: nothing can be posted, and wait() waits for messages only.
  Line();
  /// SMPI: a line to rank `peer` of `comm`, which must outlive this. Starts a receive.
  Line(MPI_Comm comm, int peer);
  /// Real MPI: one of the two ends.
  Line(std::shared_ptr<Shared> shared, int end);
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line();

  /// Sends `pointer` to the other end. Does not wait. Throws Unreported.
  void post(void* pointer);
  /// Waits for a pointer from the other end or one of `requests`. If `lock` is held, it is released while waiting.
  /// Throws Unreported.
  Event wait(std::span<MPI_Request> requests, std::unique_lock<std::mutex>& lock);
  /// The same without waiting.
  Event test(std::span<MPI_Request> requests);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strata::mpix
