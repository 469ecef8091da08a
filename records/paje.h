// SPDX-License-Identifier: LGPL-2.1-only
// Timelines as Paje traces (traces/point-N.paje in a results folder): the states of each core and each thread over
// time. ViTE and pj_dump (Debian's pajeng) open them.
//
//   %EventDef PajeSetState 5             (and five other kinds of events, with their fields)
//   ...
//   0 c N Core                           types of containers: machine > node > core > thread
//   1 cs c "Core state"                  types of states: of the machine, a core, a thread
//   2 cv2 cs "Computation" "0 0.62 0.45"
//   3 0.000000000000 c0 c N0 "node0.core0"
//   5 0.001000000000 cs c0 cv2           from 1 ms on, core 0 computes
//   4 0.005000000000 c c0
//
// An alias is the letter of the container's type and its number: M0, N3, c17, t5. Events are in order of time, and at
// the same time in the order of types, then numbers. The platform plugin writes traces (sim/plugin/thread_timeline.h);
// reports and `strata splittree --svg` read them. Other Paje traces cannot be read.
//
// A thread has the states Computation, Copy, Combination, Waiting, Idle. The states of a core combine those of its
// threads, like the rows of IJHPCA'19, Figures 4 to 6:
//
//   Computation                an application rank computes
//   Communication              a progress thread copies or combines
//   Both                       a rank computes while a progress thread copies or combines: they share the core
//   Application communication  a rank copies or combines itself
//   Waiting                    a rank waits, and no thread is busy
//   Idle                       none of these
//
// The machine has the state Phase: the name of the measured region.
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
    int rank = 0;           // own rank; for a progress thread, the rank for which it works
    bool progress = false;  // a progress thread
    std::vector<Interval> intervals;

    bool operator==(const Thread&) const = default;
  };
  struct Core {
    int number = 0;    // in the machine
    int node = 0;      // the node that contains it
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
  std::vector<Core> cores;    // of nodes on which a thread runs, in the machine's order
  std::vector<Phase> phases;  // in order of time, without overlap; may be empty
  double end = 0;             // s; the intervals of each core, and of each thread, fill [0, end] without gaps

  bool operator==(const PajeTrace&) const = default;
};

/// Indexes of states in the traces of simulations. Cores and threads start in state 0.
enum PajeThreadState { kThreadIdle, kThreadWaits, kThreadComputes, kThreadCopies, kThreadCombines };
enum PajeCoreState { kCoreIdle, kCoreWaits, kCoreComputes, kCoreCommunicates, kCoreBoth, kCoreOfRankCommunicates };
const std::vector<PajeTrace::State>& paje_thread_states();
const std::vector<PajeTrace::State>& paje_core_states();

/// The definitions, numbers 0 to 4, of events in all of our traces. Other events have numbers from 5 on.
inline constexpr const char* kPajeEvents =
    "%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 2\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 3\n%  Time date\n%  Alias string\n%  Type string\n%  Container string\n"
    "%  Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 4\n%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n";

/// A name in quotes. Quotes and control characters inside become apostrophes, because Paje has no escapes.
std::string paje_quoted(std::string text);

/// Times have twelve decimals; shares of red, green and blue have two. O(n log n) time and 24 B of memory for each
/// interval.
void write_paje(std::ostream& out, const PajeTrace& trace);

/// Throws InputError with file and line if it is not such a trace, or is damaged or truncated.
PajeTrace read_paje(const std::filesystem::path& file);

}  // namespace strata
