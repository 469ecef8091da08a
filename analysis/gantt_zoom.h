// SPDX-License-Identifier: LGPL-2.1-only
// Chooses the part of a Gantt chart to enlarge: some messages in the middle of the communication and the cores that
// move them, as in the zoom boxes of IJHPCA'19, Figures 4 to 6.
#pragma once

#include <optional>
#include <vector>

#include "analysis/timeline_queries.h"

namespace strata::analysis {

struct GanttZoom {
  double from = 0, to = 0;  // s, on the timeline's clock
  std::vector<int> cores;   // indexes into Timeline::cores, in their order
};

/// The part to enlarge between `from` and `to`. It lies around the median of the communication time, and is as long as
/// some messages of the size that takes most of this time. It includes the cores that communicate then, and their
/// neighbours. Nothing if there is no communication, or if the part would be a large fraction of the chart.
std::optional<GanttZoom> find_zoom(const Timeline& timeline, double from, double to);

}  // namespace strata::analysis
