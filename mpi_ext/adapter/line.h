// SPDX-License-Identifier: LGPL-2.1-only
// The line between a process's application thread and its progress thread: pointers, one after another, both ways. Who
// reads it waits for messages of MPI at the same time.
//
// Under SMPI a pointer is a message of 8 bytes, a cache line as between two cores, and waiting is one MPI_Waitany:
// polling would cost simulated time, or none and never end. Under a real MPI it is a queue with a lock; who waits
// sleeps while there is nothing but the queue to wait for, and polls MPI otherwise, leaving the core to others
// (sched_yield) between two polls.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <span>

namespace strata::mpix {

/// The event that ended a wait.
struct Event {
  enum class What { kNothing, kPointer, kRequest };
  What what = What::kNothing;  // nothing: what was waited for may have happened; look, and wait again
  void* pointer = nullptr;
  int request = -1;         // which is complete, and freed
  int error = MPI_SUCCESS;  // of that request
};

class Line {
 public:
  struct Shared;  // a real MPI's: what the two ends have in common

  /// No line: nothing is posted, only messages are waited for.
  Line();
  /// SMPI: to rank `peer` of `comm`, which must outlive this. A receive is under way from now on.
  Line(MPI_Comm comm, int peer);
  /// A real MPI: one of the two ends.
  Line(std::shared_ptr<Shared> shared, int end);
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line();

  /// The other end gets `pointer`. Does not wait. Throws Unreported.
  void post(void* pointer);
  /// Waits for a pointer from the other end or one of `requests`. While it waits `lock`, where it holds one, is given
  /// back. Throws Unreported.
  Event wait(std::span<MPI_Request> requests, std::unique_lock<std::mutex>& lock);
  /// The same without waiting.
  Event test(std::span<MPI_Request> requests);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strata::mpix
