// SPDX-License-Identifier: LGPL-2.1-only
// Makes a trace (records/trace/trace.h) while a program runs. For example, rank 0 sends to rank 1, which receives:
//
//   recorder.receive(1, &request1, 0, 7, 2, 8, 0);       rank 1 starts a receive
//   recorder.send(0, &request0, 1, 7, 2, 8, 0);          rank 0 starts a send of 8 bytes
//   recorder.sent(&request0, message);                   the message of that send,
//   recorder.received_by(&request1, message);            which the receive turns out to be for
//   recorder.wait(1, &request1, 0);                      rank 1 waits for its receive
//
// The message of a receive is known only when both sides are there. So a rank's steps are held back from its first
// receive without a message on; earlier ones are folded into loops at once (records/trace/fold.h). Steps of a program
// without loops are moved to a file as they come, so that memory is bounded.
//
// Not thread-safe: one rank runs at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/output_error.h"
#include "records/trace/fold.h"
#include "records/trace/trace.h"
#include "records/trace/trace_writer.h"

namespace strata {

class TraceRecorder {
 public:
  /// The number of folded steps in memory: the minimum per rank, and the maximum over all ranks together. 140 B each.
  static constexpr std::size_t kFewestKept = 4096, kMostKept = std::size_t{1} << 20;

  /// `cores`: by rank. Calls give_up, which must not return, if `file` cannot be written.
  TraceRecorder(std::string program, std::string machine, std::vector<std::string> functions, std::vector<int> cores,
                std::string file, void (*give_up)(const OutputError&));

  /// The next steps are inside that function; -1: the program itself.
  void enter(int rank, int function) { ranks_[rank].function = function; }
  int function(int rank) const { return ranks_[rank].function; }

  /// A request is started. `modes`, `span`: as in TraceStep. A negative `source` means any.
  void send(int rank, const void* request, int to, int tag, int comm, double bytes, unsigned modes, double span = 0);
  void receive(int rank, const void* request, int source, int tag, int comm, double bytes, unsigned modes,
               double span = 0);
  /// The message of a started send; the message that a started receive gets, now or later.
  void sent(const void* request, const void* message);
  void received_by(const void* request, const void* message);
  /// A one-sided step. Returns the number of its request, if it is one (TraceStep::starts_request).
  long one_sided(int rank, const TraceStep& step);
  /// The address of that request. Its message is part of the step.
  void place(int rank, const void* request, long number);
  /// The object at that address is no longer a request of the trace.
  void forget(const void* request) { requests_.erase(request); }
  /// No rank will receive the message.
  void cancelled(const void* message);
  /// The rank has waited for the request. No effect for a request that was never started.
  void wait(int rank, const void* request, unsigned modes);
  /// The rank has waited for all of these, in any order.
  void wait_for_all(int rank, const std::vector<const void*>& requests);
  /// The rank has found a message to it, which it has not received yet.
  void found(int rank, int source, unsigned modes);

  /// Any step without a message.
  void add(int rank, const TraceStep& step);
  /// The rank has come to a barrier. For the last rank that comes, all others have come before.
  void come(int rank, const void* barrier);
  void all_there(const void* barrier);
  /// The group of these ranks, ascending.
  int group(const std::vector<int>& ranks);
  /// The program calls a collective on a communicator of these ranks, in order; once for all of its ranks. `bytes` as
  /// in CollectiveCalls.
  void collective(int function, const std::vector<int>& communicator, std::int64_t bytes);

  /// The rank asked for something that may differ on another machine.
  void doubt(int function) { ++doubts_[function]; }
  /// That function did; it gets a number.
  void doubt(const std::string& function);
  /// The program called a function that a trace cannot contain.
  void not_recorded(int function) { not_recorded_.insert(function); }
  void end(int rank, double now);

  /// Trace::native.
  void set_native() { native_ = true; }
  /// As Trace::library.
  void set_library(std::string library) { library_ = std::move(library); }
  /// `program_hash` and `recorded_machine` as in Trace. Throws OutputError.
  void write(std::string program_hash, std::string recorded_machine = "");

  /// The number of a rank's folded steps.
  std::size_t steps_in_memory(int rank) const { return ranks_[rank].folder.size(); }

 private:
  struct Pending {
    TraceStep step;
    long start = -1;       // of the request, counted over the rank
    long index = -1;       // of the message that a receive gets, counted over its sender's to this rank
    bool known = true;     // all of the step
    bool dropped = false;  // no message came
  };
  struct Rank {
    int function = -1, last_function = -1;
    long started = 0;           // requests
    long starts_kept = 0;       // requests that are in the trace
    std::vector<long> dropped;  // those that are not, by start, ascending
    std::deque<Pending> pending;
    long first_pending = 0;  // the number of the first of them
    StepFolder folder;
    double ended = 0;
  };
  struct Place {
    int rank;
    long number;  // of the pending step
  };
  struct Sent {
    int from, to;
    long index;
  };
  struct Request {
    int rank;
    long start;
    bool receives;
    long number;   // of a receive: the pending step's
    Sent message;  // of a send
  };
  // The messages of one rank to another.
  struct Channel {
    long sent = 0;
    long claimed = 0;  // by receives: all before it, and those in `beyond`
    std::set<long> beyond;
  };

  Rank& of(int rank) { return ranks_[rank]; }
  Pending& append(int rank, const TraceStep& step);
  void resolve(const Place& receive, const Sent& message);
  void flush(int rank);
  void keep(int rank, const Pending& pending);
  void put_aside(int rank);
  int relative(int rank, int peer) const;
  Channel& channel(int from, int to);

  std::string program_, machine_;
  std::vector<std::string> functions_;
  std::vector<int> cores_;
  TraceWriter writer_;
  void (*give_up_)(const OutputError&);
  const std::size_t most_kept_;  // of a rank
  std::vector<long> doubts_;
  std::set<int> not_recorded_;
  std::vector<Rank> ranks_;
  std::unordered_map<const void*, Request> requests_;  // by address, which SMPI uses again
  std::unordered_map<const void*, Sent> sent_;         // messages that no receive has met
  std::unordered_map<const void*, Place> awaited_;     // receives that no message has met, by what it will be
  std::unordered_map<std::uint64_t, Channel> channels_;
  std::unordered_map<const void*, std::vector<Place>> coming_;  // to a barrier
  std::map<std::vector<int>, int> groups_, communicators_;
  std::map<std::tuple<int, std::int32_t, std::int64_t>, std::int64_t> collectives_;  // function, communicator, B: calls
  bool native_ = false;
  std::string library_;
};

}  // namespace strata
