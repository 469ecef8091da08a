// SPDX-License-Identifier: LGPL-2.1-only
// Numbers for a timeline: how the cores' time divides into states, and how much of the communication was overlapped.
#pragma once

#include <string>
#include <vector>

#include "analysis/timeline_queries.h"

namespace strata::analysis {

struct TimelineSummary {
  struct Cores {
    std::string kind;            // "application", "communication" (only progress threads) or "free" (no thread)
    int count = 0;               // not 0
    std::vector<double> shares;  // of their total time, by Timeline::core_states
  };
  std::vector<Cores> cores;    // one of each kind, in the above order
  double communication_s = 0;  // total time in which progress threads copied and combined, s
  double overlapped = 0;     // the share of it during which their rank computed on another core. On the same core, one
                             // takes time from the other, so nothing overlaps. 0 if there is no communication
  double cores_at_once = 0;  // mean number of communicating cores while any communicates; 0: none
};

/// For the interval from `from` to `to`, s; from < to. O(intervals log intervals).
TimelineSummary summarize(const Timeline& timeline, double from, double to);

}  // namespace strata::analysis
