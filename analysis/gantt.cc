// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/gantt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "analysis/axis_ticks.h"
#include "analysis/gnuplot.h"
#include "base/output_error.h"

namespace strata::analysis {
namespace {

// px
constexpr int kWidth = 1100, kLeft = 175, kRight = 45;
constexpr int kHead = 74;         // title and key
constexpr int kFoot = 72;         // axis of a panel
constexpr int kBetween = 30;      // above the enlarged part, for its title
constexpr int kRowsHeight = 720;  // target for all rows of a chart
constexpr int kHighestRow = 18, kLowestRow = 2;
constexpr int kGapFrom = 5;  // rows of at least this height have a pixel between them
constexpr int kLabelHeight = 11;
constexpr int kCharacter = 7;  // in the key, on average
constexpr int kPixels = kWidth - kLeft - kRight;

// One chart: rows of cores over an interval of time.
struct Panel {
  double from = 0, to = 0;  // s
  std::vector<int> cores;
  int row = 0;         // height, px
  int top = 0;         // of the first row, px from the top of the picture
  bool parts = false;  // draw white lines between copies and combinations
  int bottom() const { return top + row * static_cast<int>(cores.size()); }
};

int row_height(size_t rows) { return std::clamp(kRowsHeight / static_cast<int>(rows), kLowestRow, kHighestRow); }

bool communicates_only(const Timeline::Core& core) {
  return !core.threads.empty() &&
         std::all_of(core.threads.begin(), core.threads.end(), [](const auto& t) { return t.progress; });
}

// "core 31" if there is only one node, else "node0.core31".
std::string name_of(const Timeline& timeline, int core) {
  const std::string& name = timeline.cores[core].name;
  const size_t dot = name.find(".core");
  const std::string node = name.substr(0, dot) + ".";
  const bool one_node = dot != std::string::npos && timeline.cores.front().name.starts_with(node) &&
                        timeline.cores.back().name.starts_with(node);
  return one_node ? "core " + name.substr(dot + 5) : name;
}

// Labels of rows, as many as fit: communication cores first, then every row, or every second, fourth, ...
std::string row_names(const Timeline& timeline, const Panel& panel) {
  const auto rows = static_cast<int>(panel.cores.size());
  const int apart = (kLabelHeight + panel.row - 1) / panel.row;  // minimum distance between labels, in rows
  std::set<int> named;
  const auto fits = [&](int row) {
    const auto next = named.lower_bound(row);
    return (next == named.end() || *next - row >= apart) && (next == named.begin() || row - *std::prev(next) >= apart);
  };
  for (int r = 0; r < rows; ++r) {
    if (communicates_only(timeline.cores[panel.cores[r]]) && fits(r)) named.insert(r);
  }
  int every = 1;
  while (every < apart) every *= 2;
  for (int r = 0; r < rows; r += every) {
    if (fits(r)) named.insert(r);
  }
  std::string ticks;
  for (const int r : named) {
    const int core = panel.cores[r];
    const char* kind = communicates_only(timeline.cores[core]) ? "communication " : "";
    ticks +=
        fmt::format("{}{} {}", ticks.empty() ? "" : ", ", gnuplot_text(kind + name_of(timeline, core)), rows - r - 0.5);
  }
  return ticks;
}

std::string screen(int px, int of) { return fmt::format("{:.6f}", static_cast<double>(px) / of); }

// A data line for gnuplot's boxxyerror: x y left right bottom top.
std::string rectangle(double from, double to, double bottom, double top) {
  return fmt::format("{:.9g} {:.6g} {:.9g} {:.9g} {:.6g} {:.6g}\n", (from + to) / 2, (bottom + top) / 2, from, to,
                     bottom, top);
}

// The drawn part of a row's height: all except one pixel, if the row is high enough.
double drawn_height(const Panel& panel) { return panel.row >= kGapFrom ? 1 - 1.0 / panel.row : 1; }

// The cores' activities as rectangles, by state. Idle rectangles are the ground of each row.
std::vector<std::string> rectangles(const Timeline& timeline, const Panel& panel, double zero) {
  std::vector<std::string> by_state(timeline.core_states.size());
  const int idle = find_state(timeline.core_states, "Idle");
  const double high = drawn_height(panel), pixel = (panel.to - panel.from) / kPixels;
  for (size_t r = 0; r < panel.cores.size(); ++r) {
    const auto bottom = static_cast<double>(panel.cores.size() - 1 - r);
    by_state[idle] += rectangle(panel.from - zero, panel.to - zero, bottom, bottom + high);
    for (const GanttBar& b : gantt_bars(timeline.cores[panel.cores[r]].intervals, panel.from, panel.to, pixel)) {
      if (b.state == idle) continue;
      // Begin at a whole pixel and extend to the top: later states are drawn over earlier ones.
      const double low = std::round(b.low * high * panel.row) / panel.row;
      by_state[b.state] += rectangle(b.from - zero, b.to - zero, bottom + low, bottom + high);
    }
  }
  return by_state;
}

// A rectangle around each copy and each combination.
std::string outlines(const Timeline& timeline, const Panel& panel, double zero) {
  std::string lines;
  for (size_t r = 0; r < panel.cores.size(); ++r) {
    const auto bottom = static_cast<double>(panel.cores.size() - 1 - r);
    for (const Timeline::Thread& t : timeline.cores[panel.cores[r]].threads) {
      for (const Timeline::Interval& i : t.intervals) {
        if (!is_communication(timeline, i)) continue;
        const double from = std::max(i.from, panel.from), to = std::min(i.to, panel.to);
        if (from < to) lines += rectangle(from - zero, to - zero, bottom, bottom + drawn_height(panel));
      }
    }
  }
  return lines;
}

// The panel's axes and rows. `name`: prefix of its data blocks; times count from `zero` (s).
std::string panel_script(const Timeline& timeline, const Panel& panel, int height, double zero, char name) {
  std::string script = fmt::format(
      "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen {}\n"
      "set xrange [{:.17g}:{:.17g}]\nset yrange [0:{}]\n",
      screen(kLeft, kWidth), screen(kWidth - kRight, kWidth), screen(height - panel.top, height),
      screen(height - panel.bottom(), height), panel.from - zero, panel.to - zero, panel.cores.size());
  AxisTicks axis = ticks_for(panel.from - zero, panel.to - zero, false, "s");
  std::erase_if(axis.ticks, [&](const Tick& t) { return t.value < panel.from - zero || t.value > panel.to - zero; });
  script += fmt::format("set xtics {}\nset ytics scale 0 font 'sans-serif,{}' ({})\n", gnuplot_ticks(axis),
                        kLabelHeight - 1, row_names(timeline, panel));
  std::vector<std::string> drawn;
  const auto add = [&](const std::string& block, const std::string& lines, const std::string& style) {
    if (lines.empty()) return;
    script += fmt::format("${}{} << END\n{}END\n", name, block, lines);
    drawn.push_back(fmt::format("${}{} with boxxyerror {}", name, block, style));
  };
  const std::vector<std::string> by_state = rectangles(timeline, panel, zero);
  for (const bool idle : {true, false}) {
    for (size_t s = 0; s < by_state.size(); ++s) {
      const Timeline::State& state = timeline.core_states[s];
      if ((state.name == "Idle") != idle) continue;
      add(std::to_string(s), by_state[s],
          fmt::format("lc rgb '{}' fs solid noborder title {}", state.colour, gnuplot_text(state.name)));
    }
  }
  if (panel.parts) {
    add("parts", outlines(timeline, panel, zero),
        "lc rgb 'white' lw 1 fs empty border title 'one copy or combination'");
  }
  return script + fmt::format("plot {}\n", fmt::join(drawn, ", \\\n     "));
}

// Title and key above the first panel.
std::string head(const Timeline& timeline, const GanttOptions& options, int height) {
  std::string script = fmt::format("set label 1 {} at screen 0.02,{} left font 'sans-serif,16'\n",
                                   gnuplot_text(options.title), screen(height - 24, height));
  int x = kLeft, number = 1;
  for (const Timeline::State& s : timeline.core_states) {
    script += fmt::format(
        "set object {} rect from screen {},{} to screen {},{} fc rgb '{}' fs solid border lc rgb '#555555' lw 0.5\n",
        number, screen(x, kWidth), screen(height - 60, height), screen(x + 14, kWidth), screen(height - 46, height),
        s.colour);
    script += fmt::format("set label {} {} at screen {},{} left font 'sans-serif,12'\n", ++number, gnuplot_text(s.name),
                          screen(x + 20, kWidth), screen(height - 53, height));
    x += 20 + kCharacter * static_cast<int>(s.name.size()) + 24;
  }
  return script;
}

// Frames in the first panel around the part that the second panel enlarges, one for each run of adjacent rows.
std::string frames(const Panel& panel, const GanttZoom& zoom, double zero) {
  const auto rows = static_cast<int>(panel.cores.size());
  std::string script;
  for (size_t i = 0, number = 100; i < zoom.cores.size(); ++number) {
    const size_t first = i;
    do ++i;
    while (i < zoom.cores.size() && zoom.cores[i] == zoom.cores[i - 1] + 1);
    script +=
        fmt::format("set object {} rect from {:.9g},{} to {:.9g},{} front fs empty border lc rgb 'black' lw 1.5\n",
                    number, zoom.from - zero, rows - zoom.cores[i - 1] - 1, zoom.to - zero, rows - zoom.cores[first]);
  }
  return script;
}

}  // namespace

std::vector<GanttBar> gantt_bars(const std::vector<Timeline::Interval>& intervals, double from, double to,
                                 double pixel) {
  std::vector<GanttBar> bars;
  const auto add = [&](const GanttBar& bar) {
    const bool whole = bar.low == 0 && bar.high == 1;
    if (whole && !bars.empty() && bars.back().state == bar.state && bars.back().low == 0 && bars.back().high == 1 &&
        bars.back().to == bar.from) {
      bars.back().to = bar.to;
    } else {
      bars.push_back(bar);
    }
  };
  std::vector<GanttBar> thin;  // collected for the current pixel
  const auto flush = [&] {
    if (thin.empty()) return;
    const double begin = thin.front().from, end = thin.back().to;
    double low = 0;
    std::stable_sort(thin.begin(), thin.end(), [](const GanttBar& a, const GanttBar& b) { return a.state < b.state; });
    for (size_t i = 0; i < thin.size();) {
      const int state = thin[i].state;
      double time = 0;
      for (; i < thin.size() && thin[i].state == state; ++i) time += thin[i].to - thin[i].from;
      const double high = i == thin.size() ? 1 : low + time / (end - begin);
      add({begin, end, low, high, state});
      low = high;
    }
    thin.clear();
  };
  for (const Timeline::Interval& i : intervals) {
    GanttBar bar{.from = std::max(from, i.from), .to = std::min(to, i.to), .state = i.state};
    if (bar.from >= bar.to) continue;
    if (bar.to - bar.from >= pixel) {
      if (!thin.empty()) {  // fill the pixel with the beginning of the wide interval
        thin.push_back(bar);
        thin.back().to = bar.from = std::min(bar.to, thin.front().from + pixel);
        flush();
      }
      if (bar.from < bar.to) add(bar);
      continue;
    }
    thin.push_back(bar);
    if (thin.back().to - thin.front().from >= pixel) flush();
  }
  flush();
  return bars;
}

std::string gantt_script(const Timeline& timeline, const GanttOptions& options) {
  if (options.from >= options.to || timeline.cores.empty()) {
    throw OutputError("plot '" + options.title + "'", "nothing is recorded",
                      "trace a program that computes, copies or waits in a nonblocking collective");
  }
  if (timeline.cores.size() > kMostGanttCores) {
    throw OutputError(
        "plot '" + options.title + "'",
        fmt::format("{} cores are more than the {} that a chart has room for", timeline.cores.size(), kMostGanttCores),
        "look at the trace in ViTE");
  }
  Panel all{options.from, options.to, std::vector<int>(timeline.cores.size()), row_height(timeline.cores.size()),
            kHead};
  std::iota(all.cores.begin(), all.cores.end(), 0);
  Panel part;
  if (options.zoom) {
    part = {
        options.zoom->from, options.zoom->to, options.zoom->cores, kHighestRow, all.bottom() + kFoot + kBetween, true};
  }
  const int height = (options.zoom ? part.bottom() : all.bottom()) + kFoot;
  std::string script = fmt::format(
      "set terminal svg size {},{} noenhanced font 'sans-serif,13' background rgb 'white'\n"
      "set encoding utf8\nset multiplot\nunset key\n"
      "set border 3 lc rgb '#555555'\nset tics nomirror out tc rgb '#222222'\nset xlabel 'time'\n",
      kWidth, height);
  script += head(timeline, options, height);
  if (options.zoom) script += frames(all, *options.zoom, options.from);
  script += panel_script(timeline, all, height, options.from, 'a');
  if (options.zoom) {
    script += fmt::format("unset object\nunset label\nset label 1 'What the frame holds' at screen {},{} left\n",
                          screen(kLeft, kWidth), screen(height - part.top + 14, height));
    script += panel_script(timeline, part, height, options.from, 'b');
  }
  return script + "unset multiplot\n";
}

void draw_gantt(const Timeline& timeline, const std::filesystem::path& svg, const GanttOptions& options,
                const std::string& program) {
  draw_svg(svg.filename().string(), gantt_script(timeline, options), svg, program);
}

void draw_gantt(const std::filesystem::path& trace, const std::filesystem::path& svg, const std::string& phase,
                const std::string& title) {
  const Timeline timeline = read_paje(trace);
  const Timeline::Phase shown = find_phase(timeline, phase);
  draw_gantt(timeline, svg, {title, shown.from, shown.to, find_zoom(timeline, shown.from, shown.to)});
}

}  // namespace strata::analysis
