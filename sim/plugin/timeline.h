// SPDX-License-Identifier: LGPL-2.1-only
// What every thread did during a simulation, and what its core did meanwhile: the intervals of a Paje trace
// (records/paje.h, which says what the states mean).
//
// Where there are measured phases the trace holds these alone, one after another: what a program does between them to
// measure well (sleep until all are ready) would hide them. Else times are the simulated clock's. Both in s.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/exchange/timeline_recorder.h"
#include "records/paje.h"

namespace strata::sim {

class Timeline {
 public:
  /// `machine` must outlive it.
  explicit Timeline(const Machine& machine) : machine_(machine) {}

  /// A thread on a core (an index into Topology::cores()). `rank`: its own, or of a progress thread that which it works
  /// for. Returns its number, counted from 0.
  int add_thread(int core, int rank, bool progress);
  /// Its activity from `start` to `end`, s. Intervals of one thread may overlap: the last of Doing that is not waiting
  /// counts then, and waiting where there is nothing else. 24 bytes each; one that follows the thread's last and says
  /// the same adds none.
  void add(int thread, Doing what, double start, double end);
  /// A rank was in the phase from `start` to `end`. Overlapping ones of one name are one phase; where those of two
  /// names overlap the earlier ends as the later begins.
  void add_phase(const std::string& name, double start, double end);

  /// The trace. The same calls, in whatever order threads made them, give the same trace. O(n log n), and as much
  /// memory again.
  PajeTrace trace() const;

 private:
  struct Thread {
    int core = 0;
    int rank = 0;
    bool progress = false;
    long last = -1;  // its last interval
  };
  struct Interval {
    double start = 0, end = 0;
    int thread = 0;
    Doing what = Doing::kComputing;
  };
  struct Phase {
    std::string name;
    double start = 0, end = 0;
  };
  struct Change;
  struct Step;
  struct Window;
  using StateOf = int (*)(const std::array<int, 5>& how_many);

  std::vector<Phase> merged_phases() const;
  static std::vector<Window> windows(const std::vector<Phase>& phases);
  static std::vector<Change> changes(std::vector<Step> steps, StateOf state_of);
  std::vector<Change> thread_changes(const std::vector<Window>& windows) const;
  std::vector<Change> core_changes(const std::vector<Change>& threads) const;
  static std::vector<PajeTrace::Interval> intervals_of(int place, const std::vector<Change>& changes, double end);
  std::vector<PajeTrace::Core> cores() const;

  const Machine& machine_;
  std::vector<Thread> threads_;
  std::vector<Interval> intervals_;
  std::vector<Phase> phases_;
};

}  // namespace strata::sim
