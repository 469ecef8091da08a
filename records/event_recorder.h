// SPDX-License-Identifier: LGPL-2.1-only
// Writes the stream of events (records/events.h) while a program runs. For example a receive of rank 1 that waits from
// 1 ms to 4 ms for message 1, which began to flow at 3 ms:
//
//   recorder.enter(1, kRecv, 1e-3);   recorder.block(1, 1e-3);
//   recorder.unblock(1, {1}, 3e-3, 4e-3);   recorder.leave(1, 4e-3);
//
// Everything is written at once, with two exceptions, so memory is a few numbers for each rank. A block is written when
// the time goes on, because most of those that SMPI makes have no length: these are left out. And where SMPI measures
// computation, which it charges within the next MPI function, a function is entered when it has done so: begin().
//
// SMPI runs one rank at a time: not for several threads at once. Times are simulated seconds and never go back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "records/events.h"
#include "records/output_error.h"

namespace strata {

/// The reason why a rank is no longer blocked.
struct Cause {
  std::int64_t message = 0;  // 0: none
  int other = -1;            // without a message: the rank that came last; -1: unknown
};

class EventRecorder {
 public:
  /// Gets what was wrong with the file. Must not return.
  using Failed = void (*)(const OutputError&);

  /// `hold_enters`: functions are entered in begin(). Throws OutputError.
  EventRecorder(std::filesystem::path file, const EventsHeader& header, bool hold_enters, Failed failed);

  void enter(int rank, int function, double now);
  /// The function's own work begins; without effect if it has begun.
  void begin(int rank, double now);
  void leave(int rank, double now);
  void block(int rank, double now);
  /// `began`: as Event's. Without effect if the rank is not blocked.
  void unblock(int rank, const Cause& cause, double began, double now);

  /// The message's number.
  std::int64_t send(int rank, int other, int tag, std::int64_t bytes, double now);
  void arrive(std::int64_t message, double posted, double began, double now);

  void begin_phase(int rank, const std::string& name, double now);
  /// The phase of that name that began last. Those that began after it end with it and begin again, because the file
  /// has phases within one another only. Without effect if no such phase is open.
  void end_phase(int rank, const std::string& name, double now);

  void end_rank(int rank, double now);
  /// The simulation is over. Later events are ignored.
  void finish(double now);
  /// Later events are ignored, and the file never becomes whole: for a child that a rank has forked.
  void abandon() { over_ = true; }

 private:
  struct Rank {
    int entered = -1;      // the function that is not written yet
    bool blocked = false;  // since:
    double since = 0;
    bool held = false;    // the block is not written yet
    bool queued = false;  // it is in held_
    std::vector<std::string> phases;
  };

  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
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
