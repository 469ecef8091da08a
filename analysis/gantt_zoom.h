// SPDX-License-Identifier: LGPL-2.1-only
// Which part of a Gantt chart is worth enlarging: some messages in the middle of the communication, and the cores that
// move them, as the zoom boxes of IJHPCA'19, Figures 4 to 6.
#pragma once

#include <optional>
#include <vector>

#include "analysis/timeline.h"

namespace strata::analysis {

struct GanttZoom {
  double from = 0, to = 0;  // s, on the timeline's clock
  std::vector<int> cores;   // indexes into Timeline::cores, in their order
};

/// The part to enlarge between `from` and `to`: around the moment before which half of the communication's time lies,
/// as long as some messages of the size that most of it goes to; the cores that communicate then, and their neighbours.
/// Nothing without communication, or that would be a large part of the chart.
std::optional<GanttZoom> find_zoom(const Timeline& timeline, double from, double to);

}  // namespace strata::analysis
