// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "analysis/axis_ticks.h"
#include "analysis/gnuplot.h"
#include "base/output_error.h"

namespace strata::analysis {
namespace {

// Okabe and Ito's palette without its yellow, which is hardly visible on white; the most different colours come first.
constexpr std::array<const char*, kPaletteColours> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                               "#E69F00", "#56B4E9", "#000000"};
constexpr const char* kGrey = "#555555";

// gnuplot's point types: circle, triangle, square, diamond, triangle down, pentagon. The hollow type is one less.
constexpr std::array<int, 6> kFilledTypes = {7, 9, 5, 13, 11, 15};
constexpr int kPlusType = 1, kCrossType = 2;

constexpr std::array<const char*, 5> kDashes = {"1", "(9,5)", "(2,4)", "(12,4,2,4)", "(5,3)"};

constexpr int kWidth = 960, kHeight = 560;  // px; higher if the key needs it
constexpr double kPointSize = 0.75;
constexpr double kBarWidth = 0.6;         // of the distance between two categories
constexpr size_t kWidestKeyBeside = 48;   // characters; a wider key would leave too little room for the plot
constexpr size_t kLettersBelow = 70;      // total length of all categories that fit side by side below the axis
constexpr int kKeyEntryHeight = 27;       // px, of a line of text in the key
constexpr int kAroundKey = 150;           // px above and below the plot area
constexpr size_t kWidestLargeTitle = 92;  // characters of the large font that fit into kWidth

std::string style(const Series& s, bool line, Marker marker, const char* colour) {
  std::string text = line && marker != Marker::kNone ? "linespoints" : line ? "lines" : "points";
  text += fmt::format(" lc rgb '{}'", colour);
  if (line) text += fmt::format(" lw 2 dt {}", kDashes[s.shape % kDashes.size()]);
  if (marker == Marker::kNone) return text;
  const int filled = kFilledTypes[s.shape % kFilledTypes.size()];
  if (marker == Marker::kPlus) return text + fmt::format(" lw 2 pt {} ps 1", kPlusType);
  if (marker == Marker::kCross) return text + fmt::format(" lw 2 pt {} ps 1.3", kCrossType);
  // A hollow marker without a line has its own line width.
  const char* width = marker == Marker::kHollow && !line ? " lw 1.5" : "";
  const double size = marker == Marker::kHollow ? kPointSize * 1.2 : kPointSize;
  return text + fmt::format("{} pt {} ps {}", width, marker == Marker::kHollow ? filled - 1 : filled, size);
}

const char* colour_of(const Series& s) { return s.colour < 0 ? kGrey : kColours[s.colour % kColours.size()]; }

// The band is a shade between the smallest and largest values. For texts, which have no lines either, it is a vertical
// bar between them.
std::string band_style(const Series& s) {
  if (s.line) return fmt::format("with filledcurves fc rgb '{}' fs transparent solid 0.18 noborder", colour_of(s));
  return fmt::format("using 1:2:2:3 with yerrorbars lc rgb '{}' lw 1.5 pt 0", colour_of(s));
}

AxisTicks category_ticks(const std::vector<std::string>& names) {
  AxisTicks axis;
  axis.from = -0.5;
  axis.to = static_cast<double>(names.size()) - 0.5;
  for (size_t i = 0; i < names.size(); ++i) axis.ticks.push_back({static_cast<double>(i), true, names[i]});
  return axis;
}

// The extent of the drawn data along one axis.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
};

// The fill of a series in a stacked chart. Lower ones are darker, so they also differ without colour.
std::string bar_style(const Series& s) {
  return fmt::format("boxxyerror lc rgb '{}' fs solid {:.2g} border", colour_of(s), 1.0 / (1 << s.shape));
}

// The bars of series `i`, on top of those before it: middle, left, right, bottom, top.
std::string bars(const Chart& chart, size_t i) {
  std::string rows;
  for (size_t p = 0; p < chart.series[i].points.size(); ++p) {
    const ChartPoint& point = chart.series[i].points[p];
    if (!point.y) continue;
    double bottom = 0;
    for (size_t below = 0; below < i; ++below) bottom += chart.series[below].points[p].y.value_or(0);
    const double top = bottom + *point.y;
    rows += fmt::format("{0:.17g} {1:.17g} {2:.17g} {3:.17g} {4:.17g} {5:.17g}\n", point.x, (bottom + top) / 2,
                        point.x - kBarWidth / 2, point.x + kBarWidth / 2, bottom, top);
  }
  return rows;
}

// The common beginning of both kinds of pictures.
std::string head(const Chart& chart, int height) {
  return fmt::format(
      "set terminal svg size {},{} noenhanced font 'sans-serif,14' background rgb 'white'\n"
      "set encoding utf8\n"
      // A label instead of a title, because gnuplot centres titles over the plot area and truncates long ones.
      "set label 1 {} at screen 0.02,{:.4f} left font 'sans-serif,{}'\n"
      "set tmargin 4\n"
      "set xlabel {}\n"
      "set ylabel {}\n",
      kWidth, height, gnuplot_text(chart.title), 1 - 28.0 / height, chart.title.size() > kWidestLargeTitle ? 12 : 17,
      gnuplot_text(chart.x.label), gnuplot_text(chart.y.label));
}

// White at 0, full green at `largest`, full red at -`largest`; light enough for black figures on top.
std::string heat_colour(double value, double largest) {
  constexpr std::array<double, 3> kGreen = {0x4d, 0xaf, 0x4a}, kRed = {0xe4, 0x5a, 0x4c}, kWhite = {255, 255, 255};
  const double share = largest > 0 ? std::min(1.0, std::abs(value) / largest) : 0;
  const std::array<double, 3>& full = value < 0 ? kRed : kGreen;
  std::string text = "#";
  for (size_t i = 0; i < full.size(); ++i) {
    text += fmt::format("{:02x}", static_cast<int>(std::lround(kWhite[i] + share * (full[i] - kWhite[i]))));
  }
  return text;
}

// Cells as boxes with their values as text, so the sign is readable without colour. Both sides of 0 use the scale of
// the gains. Losses are unbounded, so those of at least the largest gain are full red.
std::string heat_script(const Chart& chart) {
  double highest = 0, lowest = 0;
  for (const HeatCell& c : chart.cells) {
    highest = std::max(highest, c.value.value_or(0));
    lowest = std::min(lowest, c.value.value_or(0));
  }
  const double largest = highest > 0 ? highest : -lowest;
  const AxisTicks x = category_ticks(chart.x.categories), y = category_ticks(chart.y.categories);
  std::string script = head(chart, kHeight);
  script += "set border 0\nset tics nomirror scale 0 tc rgb '#222222'\nunset key\n";
  script += fmt::format("set xrange [{:.17g}:{:.17g}]\nset yrange [{:.17g}:{:.17g}]\n", x.from, x.to, y.from, y.to);
  script += fmt::format("set xtics {}\nset ytics {}\n", gnuplot_ticks(x), gnuplot_ticks(y));
  int number = 0;
  for (const HeatCell& c : chart.cells) {
    if (!c.value) continue;
    ++number;
    script +=
        fmt::format("set object {} rectangle center {},{} size 0.96,0.92 fillcolor rgb '{}' fillstyle solid noborder\n",
                    number, c.column, c.row, heat_colour(*c.value, largest));
    const std::string figures =
        std::abs(*c.value) >= 100 ? fmt::format("{:.0f}", *c.value) : fmt::format("{:.3g}", *c.value);
    script += fmt::format("set label {} '{}' at {},{} center front\n", number + 1, figures, c.column, c.row);
  }
  return script + "plot NaN\n";
}

}  // namespace

std::string gnuplot_script(const Chart& chart) {
  if (!chart.cells.empty()) return heat_script(chart);
  Extent xs, ys;
  for (const Series& s : chart.series) {
    for (const ChartPoint& p : s.points) {
      xs.add(p.x);
      if (p.y) ys.add(*p.y);
    }
    for (const ChartRange& r : s.band) {
      ys.add(r.low);
      ys.add(r.high);
    }
  }
  if (chart.stacked) {
    ys.add(0);
    for (size_t p = 0; p < chart.series.front().points.size(); ++p) {
      double top = 0;
      for (const Series& s : chart.series) top += s.points[p].y.value_or(0);
      ys.add(top);
    }
  }
  if (chart.reference) ys.add(*chart.reference);
  if (xs.low > xs.high || ys.low > ys.high)
    throw OutputError("plot '" + chart.name + "'", "has no points", "measure some");
  const AxisTicks x = chart.x.categories.empty() ? ticks_for(xs.low, xs.high, chart.x.log, chart.x.unit, chart.x.zero)
                                                 : category_ticks(chart.x.categories);
  const AxisTicks y = ticks_for(ys.low, ys.high, chart.y.log, chart.y.unit, chart.y.zero);

  size_t widest = 0;
  size_t entries = 0;
  for (const Series& s : chart.series) {
    widest = std::max(widest, s.label.size());
    entries += s.label.empty() ? 0 : 1;
  }
  const int height = std::max(kHeight, static_cast<int>(entries) * kKeyEntryHeight + kAroundKey);
  std::string script = head(chart, height);
  script += fmt::format("set border 3 lc rgb '{0}'\nset tics nomirror out tc rgb '#222222'\n", kGrey);
  script += "set grid xtics ytics nomxtics nomytics lt 1 dt solid lw 0.8 lc rgb '#dddddd'\n";
  if (x.log) script += "set logscale x 10\n";
  if (y.log) script += "set logscale y 10\n";
  script += fmt::format("set xrange [{:.17g}:{:.17g}]\nset yrange [{:.17g}:{:.17g}]\n", x.from, x.to, y.from, y.to);
  script += fmt::format("set xtics {}\nset ytics {}\n", gnuplot_ticks(x), gnuplot_ticks(y));
  size_t letters = 0;
  for (const std::string& category : chart.x.categories) letters += category.size() + 2;
  if (letters > kLettersBelow) script += "set xtics rotate by 30 right\n";
  if (entries == 0) {
    script += "unset key\n";
  } else {
    script += fmt::format("set key outside {} Left reverse samplen 3.5 spacing 1.25 maxcols 1 noautotitle\n",
                          widest > kWidestKeyBeside ? "center bottom vertical" : "right top vertical");
  }

  std::vector<std::string> drawn;
  for (size_t i = 0; i < chart.series.size(); ++i) {  // behind all lines
    const Series& s = chart.series[i];
    if (s.band.empty()) continue;
    script += fmt::format("$band{} << END\n", i);
    for (const ChartRange& r : s.band) script += fmt::format("{:.17g} {:.17g} {:.17g}\n", r.x, r.low, r.high);
    script += "END\n";
    drawn.push_back(fmt::format("$band{} {}", i, band_style(s)));
  }
  if (chart.reference)
    drawn.push_back(fmt::format("{:.17g} with lines lc rgb '#888888' lw 1.5 dt 1", *chart.reference));
  for (size_t i = 0; i < chart.series.size(); ++i) {
    const Series& s = chart.series[i];
    const std::string title = s.label.empty() ? "" : " title " + gnuplot_text(s.label);
    if (s.points.empty()) {
      drawn.push_back(fmt::format("keyentry with {}{}", style(s, s.line, s.marker, colour_of(s)), title));
      continue;
    }
    script += fmt::format("$data{} << END\n", i);
    if (chart.stacked) {
      script += bars(chart, i) + "END\n";
      drawn.push_back(fmt::format("$data{} with {}{}", i, bar_style(s), title));
      continue;
    }
    for (const ChartPoint& p : s.points) {
      script += p.y ? fmt::format("{:.17g} {:.17g}\n", p.x, *p.y) : "\n";  // an empty line interrupts the drawn line
    }
    script += "END\n";
    // Draw a white marker first, so that lines do not show through hollow markers.
    if (s.marker == Marker::kHollow) {
      drawn.push_back(fmt::format("$data{} with {}", i, style(s, false, Marker::kFilled, "#FFFFFF")));
    }
    drawn.push_back(fmt::format("$data{} with {}{}", i, style(s, s.line, s.marker, colour_of(s)), title));
  }
  return script + fmt::format("plot {}\n", fmt::join(drawn, ", \\\n     "));
}

std::filesystem::path draw(const Chart& chart, const std::filesystem::path& into, const std::string& program) {
  std::filesystem::path file = into / (chart.name + ".svg");
  draw_svg(chart.name, gnuplot_script(chart), file, program);
  return file;
}

}  // namespace strata::analysis
