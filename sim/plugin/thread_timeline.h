// SPDX-License-Identifier: LGPL-2.1-only
// The activity of every thread during a simulation, and of its core meanwhile: the intervals of a Paje trace
// (records/paje.h, which defines the states).
//
// If there are measured phases, the trace contains only these, one after another: otherwise the time that a program
// spends between them (sleeping until all are ready) would hide them. Without phases, times are those of the simulated
// clock. Both in s.
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

  /// Adds a thread on a core (an index into Topology::cores()). `rank`: its own or, for a progress thread, that of its
  /// application thread. Returns its number, counted from 0.
  int add_thread(int core, int rank, bool progress);
  /// Its activity from `start` to `end`, s. If intervals of one thread overlap, the last in the order of Doing that is
  /// not waiting counts; waiting counts only if there is no other. 24 bytes each; an interval that continues the
  /// thread's last one with the same activity needs no memory.
  void add(int thread, Doing what, double start, double end);
  /// A rank was in the phase from `start` to `end`. Overlapping ones of one name are one phase; if phases of different
  /// names overlap, the earlier one ends when the later one begins.
  void add_phase(const std::string& name, double start, double end);

  /// The trace. It does not depend on the order in which threads made the calls. O(n log n), with twice the memory.
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
