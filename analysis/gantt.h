// SPDX-License-Identifier: LGPL-2.1-only
// A timeline as a Gantt chart: a row a core, time to the right, a colour for what the core does (IJHPCA'19, Figures 4
// to 6), and below it, enlarged, a part of it.
//
// Where a core changes faster than a pixel is wide, pixels are divided by height among what it did there: area is time,
// always.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/gantt_zoom.h"
#include "analysis/timeline.h"

namespace strata::analysis {

struct GanttOptions {
  std::string title;
  double from = 0, to = 0;  // the stretch that is drawn, s on the timeline's clock; the axis counts from `from`
  std::optional<GanttZoom> zoom;
};

/// A drawn part of a core's row: from `from` to `to` (s) the part of the row between `low` and `high` (0 to 1, from
/// below).
struct GanttBar {
  double from = 0, to = 0;
  double low = 0, high = 1;
  int state = 0;
  friend bool operator==(const GanttBar&, const GanttBar&) = default;
};

/// The bars of intervals between `from` and `to`, where `pixel` is the width of a pixel (s). Intervals as wide as that
/// are bars of their own; thinner ones, as many as it takes to fill a pixel, are put upon each other, with the
/// beginning of a wide one where that follows first.
std::vector<GanttBar> gantt_bars(const std::vector<Timeline::Interval>& intervals, double from, double to,
                                 double pixel);

/// How many cores a chart has room for.
inline constexpr int kMostGanttCores = 512;

/// The whole script, data included; writes the SVG to gnuplot's stdout. Throws OutputError where the chart would have
/// more cores than it has room for, or nothing in it.
std::string gantt_script(const Timeline& timeline, const GanttOptions& options);

/// Reads a trace and draws its phase `phase` (see find_phase), enlarged where find_zoom says so, as `svg`, which is
/// written whole or not at all. Throws InputError (the trace) and OutputError (gnuplot, the file).
void draw_gantt(const std::filesystem::path& trace, const std::filesystem::path& svg, const std::string& phase,
                const std::string& title);
/// The same of a timeline that has been read.
void draw_gantt(const Timeline& timeline, const std::filesystem::path& svg, const GanttOptions& options,
                const std::string& program = "gnuplot");

}  // namespace strata::analysis
