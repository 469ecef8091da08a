// A timeline of a simulation, read from its Paje trace: what each core and each thread did, when. sim/plugin/timeline.h
// writes them and says what the states mean; this reads no other Paje traces.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata::analysis {

struct Timeline {
  struct State {
    std::string name;    // "Communication"
    std::string colour;  // "#0072B2"
  };
  struct Interval {
    double from = 0, to = 0;  // s, from < to
    int state = 0;            // index into core_states or thread_states
  };
  struct Thread {
    int rank = 0;           // its own, or of a progress thread that which it works for
    bool progress = false;  // a progress thread
    std::vector<Interval> intervals;
  };
  struct Core {
    std::string name;  // "node0.core31"
    std::vector<Interval> intervals;
    std::vector<Thread> threads;
  };
  struct Phase {
    std::string name;
    double from = 0, to = 0;  // s
  };
  std::string machine;
  std::vector<State> core_states, thread_states;
  std::vector<Core> cores;    // of the nodes that run a thread, in the machine's order
  std::vector<Phase> phases;  // in the order of time; may be none
  double end = 0;             // s; all intervals of a core, or of a thread, fill [0, end] without gaps
};

/// Throws InputError with file and line where it is not such a trace, is damaged, or is cut off.
Timeline read_timeline(const std::filesystem::path& file);

/// The index of the state of that name, or -1.
int find_state(const std::vector<Timeline::State>& states, const std::string& name);

/// Whether what a thread does in this interval is a copy or a combination.
bool is_communication(const Timeline& timeline, const Timeline::Interval& of_thread);

/// The phase of that name: the last, if there are several. Without a phase of that name, the stretch from the
/// first to the last moment when a core is not idle, with an empty name.
Timeline::Phase find_phase(const Timeline& timeline, const std::string& name);

}  // namespace strata::analysis
