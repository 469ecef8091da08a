#include "sim/plugin/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

#include "sim/plugin/host_name.h"

namespace strata::sim {

// From `time` on a place (a thread, a core, the machine) is in another state.
struct Timeline::Change {
  double time = 0;
  char kind = 0;  // of the place: a kind of container, see kMachine
  int place = 0;
  int state = 0;
  auto key() const { return std::tie(time, kind, place); }
};

// At a place one more, or less, of something is going on.
struct Timeline::Step {
  double time = 0;
  int place = 0;
  int what = 0;
  int by = 1;
};

// A stretch of the simulation that the trace shows, and where.
struct Timeline::Window {
  double start = 0, end = 0, at = 0;
  double shift(double time) const { return time - start + at; }
};

// A container of the trace: the machine, a node, a core or a thread.
struct Timeline::Container {
  char kind = 0;  // a letter, as Change has it
  int place = 0;
  std::string parent, name;
};

namespace {

struct State {
  const char* name;
  const char* colour;  // red, green, blue, each 0 to 1
};

// Okabe and Ito's colours ("Color Universal Design", 2008), one for each group of the captions of IJHPCA'19, Figures 4
// to 6: green for MPI tasks, blue for progress threads, red for waiting, pale orange for idle cores. What is both a
// task's and communication is between them.
constexpr const char* kGreen = "0 0.62 0.45";
constexpr const char* kBlue = "0 0.45 0.70";
constexpr const char* kSkyBlue = "0.34 0.71 0.91";
constexpr const char* kPurple = "0.80 0.47 0.65";
constexpr const char* kRed = "0.84 0.37 0";
constexpr const char* kPaleOrange = "0.97 0.89 0.73";

enum ThreadState { kThreadIdle, kThreadWaits, kThreadComputes, kThreadCopies, kThreadCombines };
constexpr std::array<State, 5> kThreadStates = {
    {{"Idle", kPaleOrange}, {"Waiting", kRed}, {"Computation", kGreen}, {"Copy", kBlue}, {"Combination", kSkyBlue}}};

enum CoreState { kIdle, kWaiting, kComputation, kCommunication, kBoth, kApplicationCommunication };
constexpr std::array<State, 6> kCoreStates = {{{"Idle", kPaleOrange},
                                               {"Waiting", kRed},
                                               {"Computation", kGreen},
                                               {"Communication", kBlue},
                                               {"Both", kPurple},
                                               {"Application communication", kSkyBlue}}};

using Counts = std::array<int, 5>;  // how many do it, by Step::what

int thread_state(const Counts& doing) {
  for (const Doing d : {Doing::kCombining, Doing::kCopying, Doing::kComputing, Doing::kWaiting}) {
    if (doing[static_cast<int>(d)] == 0) continue;
    switch (d) {
      case Doing::kCombining:
        return kThreadCombines;
      case Doing::kCopying:
        return kThreadCopies;
      case Doing::kComputing:
        return kThreadComputes;
      case Doing::kWaiting:
        return kThreadWaits;
    }
  }
  return kThreadIdle;
}

// The kinds of activities of a core's threads.
enum OnCore { kRankWaits, kRankComputes, kRankCommunicates, kProgressCommunicates, kNothing };

OnCore on_core(int thread_state, bool progress) {
  const bool communicates = thread_state == kThreadCopies || thread_state == kThreadCombines;
  if (progress) return communicates ? kProgressCommunicates : kNothing;
  if (communicates) return kRankCommunicates;
  return thread_state == kThreadComputes ? kRankComputes : thread_state == kThreadWaits ? kRankWaits : kNothing;
}

int core_state(const Counts& on) {
  if (on[kRankComputes] > 0) return on[kRankCommunicates] + on[kProgressCommunicates] > 0 ? kBoth : kComputation;
  if (on[kProgressCommunicates] > 0) return kCommunication;
  if (on[kRankCommunicates] > 0) return kApplicationCommunication;
  return on[kRankWaits] > 0 ? kWaiting : kIdle;
}

constexpr const char* kHeader =
    "%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 2\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 3\n%  Time date\n%  Alias string\n%  Type string\n%  Container string\n"
    "%  Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 4\n%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeSetState 5\n%  Time date\n%  Type string\n%  Container string\n%  Value string\n%EndEventDef\n";

// Kinds of containers: letters of their aliases, "c12". In this order where several change at one time.
constexpr char kMachine = 'M', kNode = 'N', kCore = 'c', kThread = 't';

// Paje quotes names and knows no escapes.
std::string quoted(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '"' || static_cast<unsigned char>(c) < ' '; }, '\'');
  return '"' + text + '"';
}

// A time in the trace: 1e-12 s is less than the clock's own steps after a minute.
std::string time_text(double time) { return fmt::format("{:.12f}", time); }

// Defines the values of a kind's state: aliases "tv0", "tv1", ...
template <typename States>
void write_values(std::ostream& out, char kind, const States& states) {
  for (size_t i = 0; i < states.size(); ++i) {
    out << fmt::format("2 {0}v{1} {0}s {2} \"{3}\"\n", kind, i, quoted(states[i].name), states[i].colour);
  }
}

}  // namespace

int Timeline::add_thread(int core, int rank, bool progress) {
  threads_.push_back({core, rank, progress, -1});
  return static_cast<int>(threads_.size()) - 1;
}

void Timeline::add(int thread, Doing what, double start, double end) {
  if (end <= start) return;
  long& last = threads_[thread].last;
  if (last >= 0 && intervals_[last].what == what && intervals_[last].end == start) {
    intervals_[last].end = end;
    return;
  }
  last = static_cast<long>(intervals_.size());
  intervals_.push_back({start, end, thread, what});
}

void Timeline::add_phase(const std::string& name, double start, double end) {
  if (end <= start) return;
  if (!phases_.empty() && phases_.back().name == name && phases_.back().start == start) {
    phases_.back().end = std::max(phases_.back().end, end);  // another rank that started together with the last
  } else {
    phases_.push_back({name, start, end});
  }
}

std::vector<Timeline::Phase> Timeline::merged_phases() const {
  std::vector<Phase> told = phases_, merged;
  std::sort(told.begin(), told.end(),
            [](const Phase& a, const Phase& b) { return std::tie(a.start, a.name) < std::tie(b.start, b.name); });
  std::map<std::string, size_t> latest;
  for (const Phase& p : told) {
    const auto [at, first] = latest.try_emplace(p.name, merged.size());
    if (!first && p.start < merged[at->second].end) {
      merged[at->second].end = std::max(merged[at->second].end, p.end);
    } else {
      at->second = merged.size();
      merged.push_back(p);
    }
  }
  for (size_t i = 0; i + 1 < merged.size(); ++i) merged[i].end = std::min(merged[i].end, merged[i + 1].start);
  std::erase_if(merged, [](const Phase& p) { return p.start == p.end; });
  return merged;
}

std::vector<Timeline::Window> Timeline::windows(const std::vector<Phase>& phases) {
  if (phases.empty()) return {{0, std::numeric_limits<double>::infinity(), 0}};
  double total = 0;
  for (const Phase& p : phases) total += p.end - p.start;
  constexpr double kBetween = 0.02;  // of the time in phases: enough to see where one ends
  std::vector<Window> windows;
  double at = 0;
  for (const Phase& p : phases) {
    windows.push_back({p.start, p.end, at});
    at += p.end - p.start + kBetween * total;
  }
  return windows;
}

// Turns steps, in any order, into the changes of state that they make; every place is in state 0 before its first.
std::vector<Timeline::Change> Timeline::changes(std::vector<Step> steps, char kind, StateOf state_of) {
  std::sort(steps.begin(), steps.end(),
            [](const Step& a, const Step& b) { return std::tie(a.place, a.time) < std::tie(b.place, b.time); });
  std::vector<Change> changes;
  Counts counts{};
  int state = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i == 0 || steps[i].place != steps[i - 1].place) {
      counts = {};
      state = 0;
    }
    counts[steps[i].what] += steps[i].by;
    const bool more =
        i + 1 < steps.size() && steps[i + 1].place == steps[i].place && steps[i + 1].time == steps[i].time;
    if (more || state_of(counts) == state) continue;
    state = state_of(counts);
    changes.push_back({steps[i].time, kind, steps[i].place, state});
  }
  return changes;
}

std::vector<Timeline::Change> Timeline::thread_changes(const std::vector<Window>& windows) const {
  std::vector<Step> steps;
  for (const Interval& i : intervals_) {
    auto w = std::partition_point(windows.begin(), windows.end(), [&](const Window& x) { return x.end <= i.start; });
    for (; w != windows.end() && w->start < i.end; ++w) {
      const int what = static_cast<int>(i.what);
      steps.push_back({w->shift(std::max(i.start, w->start)), i.thread, what, 1});
      steps.push_back({w->shift(std::min(i.end, w->end)), i.thread, what, -1});
    }
  }
  return changes(std::move(steps), kThread, thread_state);
}

std::vector<Timeline::Change> Timeline::core_changes(const std::vector<Change>& threads) const {
  std::vector<Step> steps;
  for (size_t i = 0; i < threads.size(); ++i) {
    const Thread& thread = threads_[threads[i].place];
    const bool first = i == 0 || threads[i - 1].place != threads[i].place;
    const OnCore before = on_core(first ? 0 : threads[i - 1].state, thread.progress);
    steps.push_back({threads[i].time, thread.core, before, first ? 0 : -1});
    steps.push_back({threads[i].time, thread.core, on_core(threads[i].state, thread.progress), 1});
  }
  return changes(std::move(steps), kCore, core_state);
}

// State 0 of the machine is not a phase; `names` are the others', in the order of their first phases.
std::vector<Timeline::Change> Timeline::phase_changes(const std::vector<Phase>& phases,
                                                      const std::vector<Window>& windows,
                                                      std::vector<std::string>& names) {
  std::vector<Change> changes;
  for (size_t i = 0; i < phases.size(); ++i) {
    const auto same = std::find(names.begin(), names.end(), phases[i].name);
    const int state = static_cast<int>(same - names.begin()) + 1;
    if (same == names.end()) names.push_back(phases[i].name);
    changes.push_back({windows[i].shift(phases[i].start), kMachine, 0, state});
    changes.push_back({windows[i].shift(phases[i].end), kMachine, 0, 0});
  }
  return changes;
}

// Inner containers follow outer ones.
std::vector<Timeline::Container> Timeline::containers() const {
  const Topology& topology = *machine_.topology;
  std::map<int, std::vector<int>> threads_by_core, threads_by_node;
  for (int i = 0; i < static_cast<int>(threads_.size()); ++i) {
    threads_by_core[threads_[i].core].push_back(i);
    threads_by_node[topology.node(topology.cores()[threads_[i].core])].push_back(i);
  }
  std::vector<Container> all = {{kMachine, 0, "0", machine_.name}};
  for (const auto& [node, any] : threads_by_node) {
    all.push_back({kNode, node, "M0", "node" + std::to_string(node)});
    const int vertex = topology.node_vertex(node), first = topology.first_core(vertex);
    for (int core = first; core < first + topology.num_cores(vertex); ++core) {
      all.push_back({kCore, core, fmt::format("N{}", node), host_name(topology, core)});
      for (const int i : threads_by_core[core]) {
        const char* what = threads_[i].progress ? "progress thread of" : "rank";
        all.push_back({kThread, i, fmt::format("c{}", core), fmt::format("{} {}", what, threads_[i].rank)});
      }
    }
  }
  return all;
}

// Returns when the last is. At time 0 what happens then comes after what places begin with, and hides it; at the end
// nothing more happens.
double Timeline::write_changes(std::ostream& out, std::vector<Change> changes) {
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.key() != b.key() ? a.key() < b.key() : a.time == 0 && a.state == 0 && b.state != 0;
  });
  const double end = changes.back().time;
  for (size_t i = 0; i < changes.size(); ++i) {
    const Change& c = changes[i];
    if ((i + 1 < changes.size() && c.key() == changes[i + 1].key()) || (c.time == end && end > 0)) continue;
    out << fmt::format("5 {0} {1}s {1}{2} {1}v{3}\n", time_text(c.time), c.kind, c.place, c.state);
  }
  return end;
}

void Timeline::write(std::ostream& out) const {
  const std::vector<Phase> phases = merged_phases();
  const std::vector<Window> shown = windows(phases);
  std::vector<std::string> names;
  std::vector<Change> all = thread_changes(shown);
  for (const auto& more : {core_changes(all), phase_changes(phases, shown, names)}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  std::vector<State> phase_states = {{"No phase", kPaleOrange}};
  for (const std::string& name : names) phase_states.push_back({name.c_str(), kGreen});

  out << kHeader
      << "0 M 0 Machine\n0 N M Node\n0 c N Core\n0 t c Thread\n"
         "1 Ms M Phase\n1 cs c \"Core state\"\n1 ts t \"Thread state\"\n";
  write_values(out, kMachine, phase_states);
  write_values(out, kCore, kCoreStates);
  write_values(out, kThread, kThreadStates);
  const std::vector<Container> places = containers();
  for (const Container& c : places) {
    out << fmt::format("3 {} {}{} {} {} {}\n", time_text(0), c.kind, c.place, c.kind, c.parent, quoted(c.name));
    if (c.kind != kNode) all.push_back({0, c.kind, c.place, 0});
  }
  const double end = write_changes(out, std::move(all));
  for (auto c = places.rbegin(); c != places.rend(); ++c) {
    out << fmt::format("4 {} {} {}{}\n", time_text(end), c->kind, c->kind, c->place);
  }
}

}  // namespace strata::sim
