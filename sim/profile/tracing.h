// SPDX-License-Identifier: LGPL-2.1-only
// Converts the calling rank's actions in SMPI to the steps of a trace (records/trace/trace_recorder.h). For example, a
// send is one step, and the time that SMPI charges for it is part of that step:
//
//   tracing->start(request);
//   const Deeper overhead = quiet(tracing);     time from here on does not become a step of its own
//
// Its functions are called by ranks, except recorder().
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "records/exchange/traced_work.h"
#include "records/trace/trace_recorder.h"
#include "sim/profile/functions.h"
#include "sim/simgrid/request.h"
#include "sim/simgrid/window.h"

namespace strata::sim {

class OneSided;

class Tracing {
 public:
  /// As TraceRecorder's.
  Tracing(std::string program, std::string machine, std::vector<std::string> functions, std::vector<int> cores,
          std::string file, void (*give_up)(const OutputError&));

  TraceRecorder& recorder() { return recorder_; }

  /// The rank enters a function, inside `outermost`, which the program has called.
  void enter(Function function, int outermost);

  /// The rank is about to call a collective that the program itself calls. `bytes`: of a block (CollectiveCalls).
  void collective(Function function, MPI_Comm comm, std::int64_t bytes);

  /// A step without a message, unless it is part of another step.
  void add(const TraceStep& step);
  /// A request is about to be started; it has been.
  void start(const simgrid::smpi::Request& request);
  void started(const simgrid::smpi::Request& request);
  /// The rank has made a window; it frees it.
  void add_window(const simgrid::smpi::Win* window);
  void free_window(const simgrid::smpi::Win* window);
  /// The rank waits for the requests kept by a window, of all ranks or of one rank of the window's communicator.
  void flush(const simgrid::smpi::Win* window);
  void flush(const simgrid::smpi::Win* window, int rank);
  /// A step if the mutex is a window's lock.
  void lock(const simgrid::s4u::Mutex* mutex);
  void unlock(const simgrid::s4u::Mutex* mutex);
  /// A probe that began at `begin` has ended.
  void probe(double begin, bool found, int source, MPI_Comm comm, const MPI_Status* status);
  /// Work that our own code charges; time until its end is part of it.
  void begin_work(TracedWork::Kind kind, double amount, double moved, double working_set);
  void end_work();
  void read_clock(const int* ranks, int count);
  /// Begins like work, and is ended by end_work().
  void start_together(const int* ranks, int count);

  /// The rank's current function got an answer that may differ on another machine.
  void doubt();
  /// The given function, which is not MPI's, did.
  void doubt(const std::string& function);

  /// Nesting depths of the calling rank: time is part of a step that has already been recorded; the rank waits for all
  /// of some requests, whose order does not matter.
  int& quiet();
  int& waiting_for_all();
  bool is_quiet() { return quiet() > 0; }
  bool waits_for_all() { return waiting_for_all() > 0; }

 private:
  friend class OneSided;
  struct Window {
    int owner, number;
  };
  void add_lock(TraceStep::Kind kind, const simgrid::s4u::Mutex* mutex);
  int number(MPI_Comm comm);
  int group_of(const int* ranks, int count);

  std::vector<int> quiet_, waiting_for_all_;  // by rank: depth
  std::unordered_map<MPI_Comm, int> comms_;
  std::vector<OneSided*> one_sided_;  // by rank: the operation that it is in
  std::unordered_map<const simgrid::smpi::Win*, Window> windows_;
  std::unordered_map<const simgrid::s4u::Mutex*, Window> locks_;  // the number: that of TraceStep::Kind::kLock
  std::vector<std::vector<bool>> taken_;                          // by rank: numbers of windows
  TraceRecorder recorder_;
};

/// While in scope the calling rank puts, gets or accumulates.
class OneSided {
 public:
  /// tracing: nullptr: nothing is recorded. `held`: the program gets a request.
  OneSided(Tracing* tracing, TraceStep::Kind kind, const simgrid::smpi::Win& window, int target, bool held);
  ~OneSided();
  OneSided(const OneSided&) = delete;
  OneSided& operator=(const OneSided&) = delete;

  /// It sends `bytes`.
  void send(double bytes);
  /// The end of the message whose request the program gets, if it does.
  void started(const simgrid::smpi::Request& request);

 private:
  Tracing* tracing_;
  TraceStep step_;
  long number_ = -1;  // of the request that the program gets
};

/// Increases a depth by one while in scope.
class Deeper {
 public:
  /// nullptr: none.
  explicit Deeper(int* depth) : depth_(depth) {
    if (depth_ != nullptr) ++*depth_;
  }
  ~Deeper() {
    if (depth_ != nullptr) --*depth_;
  }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int* depth_;
};

inline Deeper quiet(Tracing* tracing) { return Deeper(tracing == nullptr ? nullptr : &tracing->quiet()); }
inline Deeper waiting_for_all(Tracing* tracing) {
  return Deeper(tracing == nullptr ? nullptr : &tracing->waiting_for_all());
}

/// The requests for which a rank waits, noted before the waiting call, because SMPI forgets those that have ended.
class Waits {
 public:
  /// nullptr: nothing is recorded.
  Waits(Tracing* tracing, simgrid::smpi::Request* const* requests, int count);
  /// The rank has waited for that request; `chosen`: on another machine it might have been another, or none.
  void ended(int index, bool chosen);
  /// The rank has requested a choice, and may have got it.
  void asked();
  void all_ended();
  /// How many there are.
  long count() const;

 private:
  Tracing* tracing_;
  std::vector<const void*> waits_;
};

}  // namespace strata::sim
