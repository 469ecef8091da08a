// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/thread_timeline.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "platforms/core_name.h"

namespace strata::sim {

// From `time` on, a place (a thread or a core) is in another state.
struct Timeline::Change {
  double time = 0;
  int place = 0;
  int state = 0;
};

// At this time, one more or one fewer activity of this kind goes on at a place.
struct Timeline::Step {
  double time = 0;
  int place = 0;
  int what = 0;
  int by = 1;
};

// A part of the simulation that the trace shows, and its position in the trace.
struct Timeline::Window {
  double start = 0, end = 0, at = 0;
  double shift(double time) const { return time - start + at; }
};

namespace {

using Counts = std::array<int, 5>;  // number of activities by Step::what

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

// Kinds of activities of the threads on a core.
enum OnCore { kRankWaits, kRankComputes, kRankCommunicates, kProgressCommunicates, kNothing };

OnCore on_core(int thread_state, bool progress) {
  const bool communicates = thread_state == kThreadCopies || thread_state == kThreadCombines;
  if (progress) return communicates ? kProgressCommunicates : kNothing;
  if (communicates) return kRankCommunicates;
  return thread_state == kThreadComputes ? kRankComputes : thread_state == kThreadWaits ? kRankWaits : kNothing;
}

int core_state(const Counts& on) {
  if (on[kRankComputes] > 0) return on[kRankCommunicates] + on[kProgressCommunicates] > 0 ? kCoreBoth : kCoreComputes;
  if (on[kProgressCommunicates] > 0) return kCoreCommunicates;
  if (on[kRankCommunicates] > 0) return kCoreOfRankCommunicates;
  return on[kRankWaits] > 0 ? kCoreWaits : kCoreIdle;
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
    phases_.back().end = std::max(phases_.back().end, end);  // another rank that started at the same time
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
  constexpr double kBetween = 0.02;  // as a part of the time in phases: enough to see where a phase ends
  std::vector<Window> windows;
  double at = 0;
  for (const Phase& p : phases) {
    windows.push_back({p.start, p.end, at});
    at += p.end - p.start + kBetween * total;
  }
  return windows;
}

// Turns steps, in any order, into changes of state, sorted by place and then by time. Every place begins in state 0.
std::vector<Timeline::Change> Timeline::changes(std::vector<Step> steps, StateOf state_of) {
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
    changes.push_back({steps[i].time, steps[i].place, state});
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
  return changes(std::move(steps), thread_state);
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
  return changes(std::move(steps), core_state);
}

// The intervals of a place until `end`, from its changes.
std::vector<PajeTrace::Interval> Timeline::intervals_of(int place, const std::vector<Change>& changes, double end) {
  std::vector<PajeTrace::Interval> intervals;
  double from = 0;
  int state = 0;
  const auto go_to = [&](double to) {
    if (to > from) intervals.push_back({from, to, state});
    from = to;
  };
  auto c = std::partition_point(changes.begin(), changes.end(), [&](const Change& x) { return x.place < place; });
  for (; c != changes.end() && c->place == place; ++c) {
    go_to(c->time);
    state = c->state;
  }
  go_to(end);
  return intervals;
}

// All cores of nodes with threads, and the threads on them, still without intervals.
std::vector<PajeTrace::Core> Timeline::cores() const {
  const Topology& topology = *machine_.topology;
  std::map<int, std::vector<int>> threads_by_core;
  std::set<int> nodes;
  for (int i = 0; i < static_cast<int>(threads_.size()); ++i) {
    threads_by_core[threads_[i].core].push_back(i);
    nodes.insert(topology.node(topology.cores()[threads_[i].core]));
  }
  std::vector<PajeTrace::Core> cores;
  for (const int node : nodes) {
    const int vertex = topology.node_vertex(node), first = topology.first_core(vertex);
    for (int core = first; core < first + topology.num_cores(vertex); ++core) {
      cores.push_back({core, node, core_name(topology, core), {}, {}});
      for (const int i : threads_by_core[core]) {
        cores.back().threads.push_back({i, threads_[i].rank, threads_[i].progress, {}});
      }
    }
  }
  return cores;
}

PajeTrace Timeline::trace() const {
  const std::vector<Phase> phases = merged_phases();
  const std::vector<Window> shown = windows(phases);
  const std::vector<Change> of_threads = thread_changes(shown), of_cores = core_changes(of_threads);
  PajeTrace trace{.machine = machine_.name,
                  .core_states = paje_core_states(),
                  .thread_states = paje_thread_states(),
                  .cores = cores(),
                  .phases = {}};
  for (size_t i = 0; i < phases.size(); ++i) {
    trace.phases.push_back({phases[i].name, shown[i].shift(phases[i].start), shown[i].shift(phases[i].end)});
    trace.end = std::max(trace.end, trace.phases.back().to);
  }
  for (const Change& c : of_threads) trace.end = std::max(trace.end, c.time);
  for (PajeTrace::Core& core : trace.cores) {
    core.intervals = intervals_of(core.number, of_cores, trace.end);
    for (PajeTrace::Thread& t : core.threads) t.intervals = intervals_of(t.number, of_threads, trace.end);
  }
  return trace;
}

}  // namespace strata::sim
