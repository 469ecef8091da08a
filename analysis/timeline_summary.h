// SPDX-License-Identifier: LGPL-2.1-only
// A timeline in numbers: how the cores' time divides among the states, and how much of the communication was free.
#pragma once

#include <string>
#include <vector>

#include "analysis/timeline.h"

namespace strata::analysis {

struct TimelineSummary {
  struct Cores {
    std::string kind;            // "application", "communication" (progress threads alone) or "free" (no thread)
    int count = 0;               // not 0
    std::vector<double> shares;  // of the time of all of them, by Timeline::core_states
  };
  std::vector<Cores> cores;    // a kind each, in the order above
  double communication_s = 0;  // what progress threads copied and combined, s, summed over them
  double overlapped = 0;  // the share of it while the rank that they work for computed on another core. On the same
                          // core one takes the time that the other loses: that overlaps nothing. 0 where there is none
  double cores_at_once = 0;  // how many cores communicated at a time, the mean over the time in which any did; 0: none
};

/// For the stretch from `from` to `to`, s; from < to. O(intervals log intervals).
TimelineSummary summarize(const Timeline& timeline, double from, double to);

}  // namespace strata::analysis
