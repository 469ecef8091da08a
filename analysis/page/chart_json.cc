// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/chart_json.h"

#include <nlohmann/json.hpp>

namespace strata::analysis {
namespace {

const char* marker_name(Marker marker) {
  switch (marker) {
    case Marker::kNone:
      return "none";
    case Marker::kPlus:
      return "plus";
    case Marker::kFilled:
      return "filled";
    case Marker::kHollow:
      return "hollow";
    case Marker::kCross:
      return "cross";
  }
  return "";
}

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

// A logarithmic axis cannot show values that are not positive.
bool all_positive(const Chart& chart, bool of_x) {
  for (const Series& s : chart.series) {
    for (const ChartPoint& p : s.points) {
      if (of_x ? p.x <= 0 : p.y && *p.y <= 0) return false;
    }
  }
  return true;
}

Json axis_json(const ChartAxis& axis, bool log) {
  return {{"label", axis.label}, {"unit", axis.unit}, {"log", log}, {"categories", axis.categories}};
}

}  // namespace

Json chart_json(const Chart& chart) {
  Json series = Json::array();
  for (const Series& s : chart.series) {
    Json points = Json::array();
    for (const ChartPoint& p : s.points) points.push_back({p.x, number_or_null(p.y)});
    series.push_back({{"label", s.label},
                      {"colour", s.colour},
                      {"shape", s.shape},
                      {"line", s.line},
                      {"marker", marker_name(s.marker)},
                      {"points", points}});
    for (const ChartRange& r : s.band) series.back()["band"].push_back({r.x, r.low, r.high});
  }
  Json cells = Json::array();
  for (const HeatCell& c : chart.cells) cells.push_back({c.column, c.row, number_or_null(c.value)});
  const bool log_x = chart.x.log && chart.x.categories.empty() && all_positive(chart, true);
  const bool log_y = chart.y.log && chart.y.categories.empty() && !chart.stacked && all_positive(chart, false);
  return {{"name", chart.name},
          {"title", chart.title},
          {"x", axis_json(chart.x, log_x)},
          {"y", axis_json(chart.y, log_y)},
          {"series", series},
          {"reference", number_or_null(chart.reference)},
          {"stacked", chart.stacked},
          {"cells", cells}};
}

}  // namespace strata::analysis
