// SPDX-License-Identifier: LGPL-2.1-only
// Runs the rounds of several operations at once, on the thread that calls it: each operation is in one round, whose
// messages are under way; when all are there the next round begins. What needs no message (a combination, a copy) is
// done when the round begins.
#pragma once

#include <mpi.h>

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "mpi_ext/adapter/line.h"
#include "mpi_ext/adapter/transport.h"
#include "mpi_ext/nbc/operation.h"

namespace strata::mpix {

class Engine {
 public:
  /// Called with an operation that this thread has done what it has to of: the next part is the other thread's, or
  /// there is none.
  using Leave = std::function<void(Operation&)>;

  /// Of the application's thread: runs what is not to be run on a progress thread, over the lanes of the operations'
  /// teams.
  explicit Engine(Leave leave) : leave_(std::move(leave)) {}
  /// Of a progress thread.
  Engine(Lane& lane, Leave leave) : thread_lane_(&lane), leave_(std::move(leave)) {}

  /// Runs the operation as far as it goes without waiting.
  void take(Operation& operation);
  /// Waits (as Line::wait) until a message is there or a pointer has come along the line, and goes on with the
  /// operation of the message. A pointer is returned for the caller to look at.
  Event wait(Line& line, std::unique_lock<std::mutex>& lock);
  /// The same without waiting.
  Event test(Line& line);

 private:
  struct InFlight {  // a message, and how its elements are described
    InFlight(Message::Way way, const Action& action, const BlockRange& place, const Buffers& buffers,
             const Operation& op, Lane& lane);
    Blocks blocks;
    Message message;
  };
  struct Running {
    Operation* operation;
    size_t round = 0;  // the next
    std::list<InFlight> messages = {};
  };
  using Runs = std::list<Running>;
  struct Pending {
    Runs::iterator run;
    std::list<InFlight>::iterator message;
  };

  bool is_mine(const Operation& operation) const;
  void go_on(Runs::iterator run);
  void begin_round(Running& run);
  std::vector<MPI_Request> gather(std::vector<Pending>& pending);
  Event handle(const Event& event, const std::vector<Pending>& pending);

  Lane* thread_lane_ = nullptr;  // null on the application's thread
  Leave leave_;
  Runs running_;
};

/// What a progress thread does: runs the operations that come along the line, and sends them back.
void run_progress_thread(MPI_Comm lane, Line& line);

}  // namespace strata::mpix
