// SPDX-License-Identifier: LGPL-2.1-only
// Timelines as Paje traces (traces/point-N.paje in a results folder): what each core and each thread did, when. ViTE
// and pj_dump (Debian's pajeng) open them.
//
//   %EventDef PajeSetState 5             (and five other kinds of events, each with its fields)
//   ...
//   0 c N Core                           types of containers: machine > node > core > thread
//   1 cs c "Core state"                  what has states: machine, core, thread
//   2 cv2 cs "Computation" "0 0.62 0.45"
//   3 0.000000000000 c0 c N0 "node0.core0"
//   5 0.001000000000 cs c0 cv2           from 1 ms on core 0 computes
//   4 0.005000000000 c c0
//
// Aliases are the letter of the container's type and its number: M0, N3, c17, t5. Events are in the order of time;
// those of one moment in the order of types, then numbers. The platform plugin writes traces (sim/plugin/timeline.h),
// reports and `strata splittree --gantt` read them; no other Paje traces are read.
//
// A thread has the states Computation, Copy, Combination, Waiting, Idle. A core has what its threads' states come to,
// as the rows of IJHPCA'19, Figures 4 to 6:
//
//   Computation                an application rank computes
//   Communication              a progress thread copies or combines
//   Both                       a rank computes while somebody copies or combines: they share the core
//   Application communication  a rank copies or combines itself
//   Waiting                    a rank waits, and nothing runs
//   Idle                       nothing of all this
//
// The machine has the state Phase: the measured region, by its name.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace strata {

struct PajeTrace {
  struct State {
    std::string name;    // "Communication"
    std::string colour;  // "#0073B3"

    bool operator==(const State&) const = default;
  };
  struct Interval {
    double from = 0, to = 0;  // s, from < to
    int state = 0;            // index into core_states or thread_states

    bool operator==(const Interval&) const = default;
  };
  struct Thread {
    int number = 0;         // in the trace
    int rank = 0;           // its own; of a progress thread, the rank that it works for
    bool progress = false;  // a progress thread
    std::vector<Interval> intervals;

    bool operator==(const Thread&) const = default;
  };
  struct Core {
    int number = 0;    // in the machine
    int node = 0;      // that it is on
    std::string name;  // "node0.core31"
    std::vector<Interval> intervals;
    std::vector<Thread> threads;

    bool operator==(const Core&) const = default;
  };
  struct Phase {
    std::string name;
    double from = 0, to = 0;  // s

    bool operator==(const Phase&) const = default;
  };
  std::string machine;
  std::vector<State> core_states, thread_states;
  std::vector<Core> cores;    // of the nodes that run a thread, in the machine's order
  std::vector<Phase> phases;  // in the order of time, without overlap; may be none
  double end = 0;             // s; all intervals of a core, or of a thread, fill [0, end] without gaps

  bool operator==(const PajeTrace&) const = default;
};

/// The states of simulations' traces, in the order of these indexes. State 0 is what a place is in at first.
enum PajeThreadState { kThreadIdle, kThreadWaits, kThreadComputes, kThreadCopies, kThreadCombines };
enum PajeCoreState { kCoreIdle, kCoreWaits, kCoreComputes, kCoreCommunicates, kCoreBoth, kCoreOfRankCommunicates };
const std::vector<PajeTrace::State>& paje_thread_states();
const std::vector<PajeTrace::State>& paje_core_states();

/// The definitions, numbers 0 to 4, of the events that every trace of ours has. Others have numbers from 5 on.
inline constexpr const char* kPajeEvents =
    "%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 2\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 3\n%  Time date\n%  Alias string\n%  Type string\n%  Container string\n"
    "%  Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 4\n%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n";

/// A name between quotes. Quotes and control characters in it become apostrophes, for Paje knows no escapes.
std::string paje_quoted(std::string text);

/// Times have twelve decimals: 1e-12 s is less than the simulated clock's own steps after a minute. A share of red,
/// green or blue has two. O(n log n) and 24 B of memory for each interval.
void write_paje(std::ostream& out, const PajeTrace& trace);

/// Throws InputError with file and line where it is not such a trace, is damaged, or is cut off.
PajeTrace read_paje(const std::filesystem::path& file);

}  // namespace strata
