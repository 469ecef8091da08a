// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/timeline_queries.h"

#include <algorithm>

namespace strata::analysis {

int find_state(const std::vector<Timeline::State>& states, const std::string& name) {
  const auto found =
      std::find_if(states.begin(), states.end(), [&](const Timeline::State& s) { return s.name == name; });
  return found == states.end() ? -1 : static_cast<int>(found - states.begin());
}

bool is_communication(const Timeline& timeline, const Timeline::Interval& of_thread) {
  const std::string& name = timeline.thread_states[of_thread.state].name;
  return name == "Copy" || name == "Combination";
}

Timeline::Phase find_phase(const Timeline& timeline, const std::string& name) {
  const auto named = std::find_if(timeline.phases.rbegin(), timeline.phases.rend(),
                                  [&](const Timeline::Phase& p) { return p.name == name; });
  if (named != timeline.phases.rend()) return *named;
  const int idle = find_state(timeline.core_states, "Idle");
  Timeline::Phase all{"", timeline.end, 0};
  for (const Timeline::Core& core : timeline.cores) {
    for (const Timeline::Interval& i : core.intervals) {
      if (i.state == idle) continue;
      all.from = std::min(all.from, i.from);
      all.to = std::max(all.to, i.to);
    }
  }
  return all.to > all.from ? all : Timeline::Phase{"", 0, timeline.end};
}

}  // namespace strata::analysis
