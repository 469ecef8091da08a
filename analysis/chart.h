// SPDX-License-Identifier: LGPL-2.1-only
// A chart as values: what is drawn, before anybody draws it. Tests look at this; plot.h makes pictures of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace strata::analysis {

inline constexpr int kPaletteColours = 7;  // then they come again: shapes must differ

enum class Marker {
  kNone,
  kPlus,  // a prediction without a line to draw
  kFilled,
  kHollow,  // a point outside a model's assumptions
  kCross,   // a point that contradicts a model
};

struct ChartPoint {
  double x = 0;             // a value, or the index of a category
  std::optional<double> y;  // nothing: not measured; the line has a gap there
};

/// From where to where the values at an x go, over a parameter that the chart does not show.
struct ChartRange {
  double x = 0, low = 0, high = 0;
};

/// Points, a line, or both, in one colour. One without points is an entry of the key alone.
struct Series {
  std::string label;  // empty: not in the key
  int colour = -1;    // index into the palette; -1 is grey
  int shape = 0;      // index of the marker's shape and of the line's dashes
  bool line = true;
  Marker marker = Marker::kFilled;
  std::vector<ChartPoint> points;
  std::vector<ChartRange> band = {};  // drawn behind the line, in its colour; by increasing x
};

/// A cell of a heat map.
struct HeatCell {
  int column = 0, row = 0;      // indexes of categories
  std::optional<double> value;  // nothing: not measured
};

struct ChartAxis {
  std::string label;
  std::string unit;                     // of the values; the ticks carry it
  bool log = true;                      // wanted; an axis with a value that is not positive is linear all the same
  std::vector<std::string> categories;  // where the values are texts: the meaning of 0, 1, 2 ...
  bool zero = true;                     // a linear axis may begin at 0 (axis_ticks.h)
};

struct Chart {
  std::string name;  // of the file, without suffix
  std::string title;
  ChartAxis x, y;
  std::vector<Series> series;
  std::optional<double> reference;  // a horizontal line: 1 for a ratio
  bool stacked = false;             // bars: at each category the values of all series upon each other, the first lowest
  std::vector<HeatCell> cells;      // a heat map over two axes of categories, without series
};

}  // namespace strata::analysis
