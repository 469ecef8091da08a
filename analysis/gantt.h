// SPDX-License-Identifier: LGPL-2.1-only
// Draws a timeline as a Gantt chart: a row for each core, time to the right, and a colour for each activity (IJHPCA'19,
// Figures 4 to 6). Below, a part of it is enlarged.
//
// If a core changes its activity faster than the width of a pixel, the height of the pixel is divided among the
// activities, so area always represents time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/gantt_zoom.h"
#include "analysis/timeline_queries.h"

namespace strata::analysis {

struct GanttOptions {
  std::string title;
  double from = 0, to = 0;  // the drawn interval in s on the timeline's clock; the axis counts from `from`
  std::optional<GanttZoom> zoom;
};

/// A drawn part of a core's row: from `from` to `to` (s), with a vertical extent from `low` to `high` (0 to 1, from the
/// bottom).
struct GanttBar {
  double from = 0, to = 0;
  double low = 0, high = 1;
  int state = 0;
  friend bool operator==(const GanttBar&, const GanttBar&) = default;
};

/// The bars of the intervals between `from` and `to`. `pixel`: the width of a pixel (s). An interval of at least that
/// width is its own bar. Shorter ones are stacked until they fill a pixel, if necessary with the beginning of a
/// following wide interval.
std::vector<GanttBar> gantt_bars(const std::vector<Timeline::Interval>& intervals, double from, double to,
                                 double pixel);

/// The maximum number of cores in a chart.
inline constexpr int kMostGanttCores = 512;

/// The complete script with its data, which writes the SVG to gnuplot's stdout. Throws OutputError if there are too
/// many cores, or nothing to draw.
std::string gantt_script(const Timeline& timeline, const GanttOptions& options);

/// Reads a trace and draws its phase `phase` (see find_phase) as `svg`, with the part enlarged that find_zoom chooses.
/// The file is written completely or not at all. Throws InputError (the trace) and OutputError (gnuplot, the file).
void draw_gantt(const std::filesystem::path& trace, const std::filesystem::path& svg, const std::string& phase,
                const std::string& title);
/// The same for a timeline in memory.
void draw_gantt(const Timeline& timeline, const std::filesystem::path& svg, const GanttOptions& options,
                const std::string& program = "gnuplot");

}  // namespace strata::analysis
