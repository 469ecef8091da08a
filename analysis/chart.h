// SPDX-License-Identifier: LGPL-2.1-only
// A chart as values, independent of how it is drawn. Tests inspect these values; plot.h draws them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace strata::analysis {

inline constexpr int kPaletteColours = 7;  // further series reuse colours with other shapes

enum class Marker {
  kNone,
  kPlus,  // a prediction without a line
  kFilled,
  kHollow,  // a point outside a model's assumptions
  kCross,   // a point that contradicts a model
};

struct ChartPoint {
  double x = 0;             // a value, or the index of a category
  std::optional<double> y;  // nothing: not measured; the line has a gap there
};

/// The range of the values at an x: an error bar, or that over a parameter that the chart does not show.
struct ChartRange {
  double x = 0, low = 0, high = 0;
};

/// Points, a line, or both, in one colour. A series without points is only an entry in the key.
struct Series {
  std::string label;  // empty: not in the key
  int colour = -1;    // index into the palette; -1 is grey
  int shape = 0;      // index of the marker shape and the line's dash pattern
  bool line = true;
  Marker marker = Marker::kFilled;
  std::vector<ChartPoint> points;
  std::vector<ChartRange> band = {};  // drawn behind the line in its colour; by increasing x
};

/// A cell of a heat map.
struct HeatCell {
  int column = 0, row = 0;      // indexes of categories
  std::optional<double> value;  // nothing: not measured
};

struct ChartAxis {
  std::string label;
  std::string unit;                     // of the values; shown in the tick labels
  bool log = true;                      // requested; ignored if a value is not positive
  std::vector<std::string> categories;  // if the values are texts: those for 0, 1, 2 ...
  bool zero = true;                     // a linear axis may begin at 0 (axis_ticks.h)
};

struct Chart {
  std::string name;  // file name without suffix
  std::string title;
  ChartAxis x, y;
  std::vector<Series> series;
  std::optional<double> reference;  // a horizontal line, such as 1 for a ratio
  bool stacked = false;             // stacked bars: the values of all series at each category, the first lowest
  std::vector<HeatCell> cells;      // a heat map over two axes of categories; then there are no series
};

}  // namespace strata::analysis
