// SPDX-License-Identifier: LGPL-2.1-only
// A run as a timeline: the nested states of the ranks, and messages. For the example events in records/events.h, rank 1
// is in
//
//   0 s to 0.004 s   the program
//     0 s to 0.003 s   MPI_Recv
//       0 s to 0.003 s   waits for rank 0
//
// and a message goes from rank 0 to rank 1, from 0.001 s to 0.003 s. Writers of file formats are sinks. They get states
// and messages in order of time, and need a few numbers of memory for each rank and each message in flight.
//
// A phase contains whole calls: if it begins or ends inside a call, this is postponed to the end of the call. States
// that are open at the end of the run end there. With a time window, states and messages that overlap its borders are
// cut off there. Messages that never arrive are omitted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "records/events.h"
#include "records/timeline/selection.h"
#include "records/timeline/wait_targets.h"

namespace strata {

struct RankState {
  enum class Kind { kProgram, kPhase, kCall, kWait };
  Kind kind = Kind::kProgram;
  std::string phase = {};  // its name
  int function = -1;       // kCall: an index into EventsHeader::functions
  int other = -1;          // kWait: the rank that is waited for; -1: unknown

  bool operator==(const RankState&) const = default;
};

struct RankMessage {
  std::int64_t number = 0;  // from 1, in the order of sending
  int sender = 0, receiver = 0;
  int tag = 0;
  std::int64_t bytes = 0;

  bool operator==(const RankMessage&) const = default;
};

class TimelineSink {
 public:
  TimelineSink() = default;
  TimelineSink(const TimelineSink&) = delete;
  TimelineSink& operator=(const TimelineSink&) = delete;
  virtual ~TimelineSink() = default;
  /// A state begins inside the rank's innermost one.
  virtual void enter(double time, int rank, const RankState& state) = 0;
  /// The rank's innermost state ends.
  virtual void leave(double time, int rank, const RankState& state) = 0;
  virtual void send(double time, const RankMessage& message) = 0;
  virtual void receive(double time, const RankMessage& message) = 0;
};

class EventTimeline {
 public:
  /// Reads the events once. Throws InputError if it is damaged, or if the window begins after the end of the run.
  EventTimeline(EventStore store, TimelineSelection selection);

  const EventsHeader& header() const { return header_; }
  /// The selected ranks, ascending.
  const std::vector<int>& ranks() const { return ranks_; }
  bool messages() const { return selection_.messages; }
  /// The window, s.
  double from() const { return selection_.from; }
  double to() const { return selection_.to; }
  /// The functions that selected ranks call, and the ranks for which they wait, by number.
  const std::vector<bool>& called() const { return called_; }
  const std::vector<bool>& waited_for() const { return waited_for_; }
  /// A rank's events in the whole file, including the messages that it sends and receives.
  std::uint64_t events(int rank) const { return events_[rank]; }

  /// Passes the states of `ranks`, a sorted subset of the selected ranks, to `sink`. With `messages`, also passes
  /// messages between selected ranks: send() if the sender is in `ranks`, receive() if the receiver is.
  void replay(const std::vector<int>& ranks, bool messages, TimelineSink& sink);

 private:
  class Replay;

  void survey();

  EventStore store_;
  TimelineSelection selection_;
  EventsHeader header_;
  std::vector<int> ranks_;
  std::vector<bool> called_, waited_for_;
  std::vector<std::uint64_t> events_;  // by rank
  WaitTargets waits_;
  std::vector<std::int64_t> lost_;  // messages that never arrive, in order
};

}  // namespace strata
