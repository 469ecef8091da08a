// The activities of every thread, as a Paje trace: a text that pj_dump (Debian's pajeng) and ViTE read, and
// analysis/timeline.h.
//
// Containers are machine > node > core > thread ("rank 12", "progress thread of 12"): all cores of the nodes that run a
// thread. A thread has the states Computation, Copy, Combination, Waiting, Idle; a core what its threads' states come
// to, as the rows of IJHPCA'19, Figures 4 to 6:
//
//   Computation                an application rank computes
//   Communication              a progress thread copies or combines
//   Both                       a rank computes while a thread copies or combines: they share the core
//   Application communication  a rank copies or combines itself
//   Waiting                    a rank waits, and nothing runs
//   Idle                       nothing of all this
//
// The machine has the state Phase: the measured region, by its name. Where there are phases the trace holds these
// alone, one after another: what a program does between them to measure well (sleep until all are ready) would hide
// them. Else times are the simulated clock's. Both in s.
#pragma once

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "records/exchange/timeline_recorder.h"
#include "platforms/machine.h"

namespace strata::sim {

using mpix::Doing;

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

  /// The trace. The same calls, in any order of the threads, give the same bytes. O(n log n), and as much
  /// memory again.
  void write(std::ostream& out) const;

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
  struct Container;
  using StateOf = int (*)(const std::array<int, 5>& how_many);

  std::vector<Phase> merged_phases() const;
  static std::vector<Window> windows(const std::vector<Phase>& phases);
  static std::vector<Change> changes(std::vector<Step> steps, char kind, StateOf state_of);
  std::vector<Change> thread_changes(const std::vector<Window>& windows) const;
  std::vector<Change> core_changes(const std::vector<Change>& threads) const;
  static std::vector<Change> phase_changes(const std::vector<Phase>& phases, const std::vector<Window>& windows,
                                           std::vector<std::string>& names);
  std::vector<Container> containers() const;
  static double write_changes(std::ostream& out, std::vector<Change> changes);

  const Machine& machine_;
  std::vector<Thread> threads_;
  std::vector<Interval> intervals_;
  std::vector<Phase> phases_;
};

}  // namespace strata::sim
