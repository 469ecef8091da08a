// SPDX-License-Identifier: LGPL-2.1-only
// Writes the stream of events (records/events.h) while a program runs. For example, a receive of rank 1 waits from 1 ms
// to 4 ms for message 1, which began to flow at 3 ms:
//
//   recorder.enter(1, kRecv, 1e-3);   recorder.block(1, 1e-3);
//   recorder.unblock(1, {1}, 3e-3, 4e-3);   recorder.leave(1, 4e-3);
//
// Events are written immediately, with two exceptions, so memory is a few numbers for each rank. First, a block is
// written when time advances, because most blocks in SMPI have no length; these are omitted. Second, if SMPI measures
// computation, it charges it within the next MPI function; begin() then writes the enter of that function, after the
// charge.
//
// Not thread-safe, because SMPI runs one rank at a time. Times are simulated seconds and never decrease.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/output_error.h"
#include "records/events.h"

namespace strata {

/// The reason why a rank is no longer blocked.
struct Cause {
  std::int64_t message = 0;  // 0: none
  int other = -1;            // without a message: the rank that came last; -1: unknown
};

class EventRecorder {
 public:
  /// Is called with a write error of the file, if it is one. Must not return.
  using Failed = void (*)(const OutputError&);

  /// `hold_enters`: begin() writes the enters of functions. Throws OutputError.
  EventRecorder(EventStore into, const EventsHeader& header, bool hold_enters, Failed failed);

  void enter(int rank, int function, double now);
  /// The function's own work begins; no effect if it has already begun.
  void begin(int rank, double now);
  void leave(int rank, double now);
  void block(int rank, double now);
  /// `began`: as Event::began. No effect if the rank is not blocked.
  void unblock(int rank, const Cause& cause, double began, double now);

  /// Returns the message's number.
  std::int64_t send(int rank, int other, int tag, std::int64_t bytes, double now);
  void arrive(std::int64_t message, double posted, double began, double now);

  /// A rank that another one has started; see set_cores().
  void add_rank() { ranks_.emplace_back(); }

  void begin_phase(int rank, const std::string& name, double now);
  /// Ends the phase of that name that began last. Phases in a file are nested, so those that began after it end with it
  /// and begin again. No effect if no such phase is open.
  void end_phase(int rank, const std::string& name, double now);

  void end_rank(int rank, double now);
  /// The simulation has ended. Later events are ignored.
  void finish(double now);
  /// Later events are ignored, and the file is never completed: for a child that a rank has forked.
  void abandon() { over_ = true; }

 private:
  struct Rank {
    int entered = -1;      // the function whose enter is not written yet
    bool blocked = false;  // since `since`
    double since = 0;
    bool held = false;    // the block is not written yet
    bool queued = false;  // is in held_
    std::vector<std::string> phases;
  };

  Rank& at(int rank) { return ranks_[rank]; }
  void write(const Event& event);
  void write_held();

  EventWriter writer_;
  bool hold_enters_;
  Failed failed_;
  std::vector<Rank> ranks_;
  std::vector<int> held_;  // ranks with a block that is not written yet, and some that had one
  double held_at_ = 0;     // s: the time of these blocks
  std::int64_t messages_ = 0;
  bool over_ = false;
};

}  // namespace strata
