// SPDX-License-Identifier: LGPL-2.1-only
// Runs the rounds of several operations at once on the calling thread. Each operation is in one round, whose messages
// are under way; when all have arrived, the next round begins. Actions without messages (a combination, a copy) are
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
  /// Called with an operation when this thread has finished its part: the next part belongs to the other thread, or the
  /// operation is complete.
  using Leave = std::function<void(Operation&)>;

  /// For the application's thread: runs the parts that no progress thread runs, over the lanes of the operations'
  /// teams.
  explicit Engine(Leave leave) : leave_(std::move(leave)) {}
  /// For a progress thread.
  Engine(Lane& lane, Leave leave) : thread_lane_(&lane), leave_(std::move(leave)) {}

  /// Runs the operation as far as possible without waiting.
  void take(Operation& operation);
  /// Waits (as Line::wait) until a message arrives or a pointer comes over the line, and continues the operation of the
  /// message. A pointer is returned to the caller.
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
  void resume(Runs::iterator run);
  void begin_round(Running& run);
  std::vector<MPI_Request> gather(std::vector<Pending>& pending);
  Event handle(const Event& event, const std::vector<Pending>& pending);

  Lane* thread_lane_ = nullptr;  // null on the application's thread
  Leave leave_;
  Runs running_;
};

/// The body of a progress thread: runs the operations that arrive over the line, and sends them back.
void run_progress_thread(MPI_Comm lane, Line& line);

}  // namespace strata::mpix
