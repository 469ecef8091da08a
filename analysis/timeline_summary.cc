// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/timeline_summary.h"

#include <algorithm>
#include <map>
#include <utility>

namespace strata::analysis {
namespace {

struct Span {
  double from = 0, to = 0;  // s
};

// The intervals in one of `states`, clipped to the window, in order of time.
std::vector<Span> spans_in(const std::vector<Timeline::Interval>& intervals, const std::vector<int>& states,
                           Span window) {
  std::vector<Span> spans;
  for (const Timeline::Interval& i : intervals) {
    const Span cut{std::max(i.from, window.from), std::min(i.to, window.to)};
    if (cut.from < cut.to && std::find(states.begin(), states.end(), i.state) != states.end()) spans.push_back(cut);
  }
  return spans;
}

double length(const std::vector<Span>& spans) {
  double sum = 0;
  for (const Span& s : spans) sum += s.to - s.from;
  return sum;
}

// The total time in both lists; each must be in order of time and without overlap.
double common(const std::vector<Span>& a, const std::vector<Span>& b) {
  double sum = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    sum += std::max(0.0, std::min(a[i].to, b[j].to) - std::max(a[i].from, b[j].from));
    a[i].to < b[j].to ? ++i : ++j;
  }
  return sum;
}

// The total time in any of the spans, which may be in any order.
double covered(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.from < b.from; });
  double sum = 0, until = 0;
  for (const Span& s : spans) {
    sum += std::max(0.0, s.to - std::max(s.from, until));
    until = std::max(until, s.to);
  }
  return sum;
}

std::vector<int> indexes(const std::vector<Timeline::State>& states, const std::vector<std::string>& names) {
  std::vector<int> found;
  for (const std::string& name : names) found.push_back(find_state(states, name));
  return found;
}

enum Kind { kApplication, kCommunication, kFree };

Kind kind_of(const Timeline::Core& core) {
  if (core.threads.empty()) return kFree;
  return std::all_of(core.threads.begin(), core.threads.end(), [](const auto& t) { return t.progress; })
             ? kCommunication
             : kApplication;
}

}  // namespace

TimelineSummary summarize(const Timeline& timeline, double from, double to) {
  const Span window{from, to};
  TimelineSummary summary;
  std::vector<TimelineSummary::Cores> kinds = {{"application", 0, {}}, {"communication", 0, {}}, {"free", 0, {}}};
  const std::vector<int> on_core =
      indexes(timeline.core_states, {"Communication", "Both", "Application communication"});
  const std::vector<int> moves = indexes(timeline.thread_states, {"Copy", "Combination"});
  const std::vector<int> computes = indexes(timeline.thread_states, {"Computation"});

  std::vector<Span> communicating;                                  // of all cores
  std::map<int, std::pair<size_t, std::vector<Span>>> computation;  // by rank: its core and times
  for (size_t c = 0; c < timeline.cores.size(); ++c) {
    const Timeline::Core& core = timeline.cores[c];
    TimelineSummary::Cores& kind = kinds[kind_of(core)];
    ++kind.count;
    kind.shares.resize(timeline.core_states.size());
    for (size_t s = 0; s < timeline.core_states.size(); ++s) {
      kind.shares[s] += length(spans_in(core.intervals, {static_cast<int>(s)}, window));
    }
    const std::vector<Span> busy = spans_in(core.intervals, on_core, window);
    communicating.insert(communicating.end(), busy.begin(), busy.end());
    for (const Timeline::Thread& t : core.threads) {
      if (!t.progress) computation[t.rank] = {c, spans_in(t.intervals, computes, window)};
    }
  }
  for (TimelineSummary::Cores& kind : kinds) {
    for (double& share : kind.shares) share /= kind.count * (to - from);
    if (kind.count > 0) summary.cores.push_back(std::move(kind));
  }
  if (!communicating.empty()) summary.cores_at_once = length(communicating) / covered(communicating);

  double overlapped_s = 0;
  for (size_t c = 0; c < timeline.cores.size(); ++c) {
    for (const Timeline::Thread& t : timeline.cores[c].threads) {
      if (!t.progress) continue;
      const std::vector<Span> moving = spans_in(t.intervals, moves, window);
      summary.communication_s += length(moving);
      const auto rank = computation.find(t.rank);
      if (rank != computation.end() && rank->second.first != c) overlapped_s += common(moving, rank->second.second);
    }
  }
  if (summary.communication_s > 0) summary.overlapped = overlapped_s / summary.communication_s;
  return summary;
}

}  // namespace strata::analysis
