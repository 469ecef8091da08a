// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include "analysis/derive.h"
#include "analysis/format.h"
#include "base/error.h"
#include "records/program_defaults.h"

namespace strata::analysis {
namespace {

// Parameters that vary within one chart and between charts.
struct Arrangement {
  Axis x;
  std::vector<Axis> series;
  std::vector<Axis> facets;  // one chart for each combination
};

bool numeric(const Axis& axis) {
  return std::all_of(axis.values.begin(), axis.values.end(), [](const Json& v) { return v.is_number(); });
}

// Keeps only letters, digits, '-' and '.', because the name is used for a file and a link.
std::string file_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    if (plain) {
      name += c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  return name.empty() || name.front() == '.' ? "plot" + name : name;
}

Arrangement arrange(const Table& table, const Plot& plot, const std::string& where) {
  const std::string who = fmt::format("plot '{}'", plot.name);
  std::vector<std::string> used = {plot.x};
  if (!plot.rows.empty()) used.push_back(plot.rows);
  if (!plot.band.empty()) used.push_back(plot.band);
  used.insert(used.end(), plot.series.begin(), plot.series.end());
  for (const std::string& name : used) {
    if (find_axis(table.axes, name) == nullptr) {
      throw InputError(where, fmt::format("{} asks for parameter '{}', which {} does not have", who, name, table.name));
    }
  }
  Arrangement a;
  a.x = *find_axis(table.axes, plot.x);
  for (const std::string& name : plot.series) a.series.push_back(*find_axis(table.axes, name));
  a.facets = axes_without(table.axes, used);
  return a;
}

ChartAxis x_axis(const Axis& axis, bool log, const std::string& program) {
  ChartAxis x;
  x.zero = false;  // a parameter, not a length to compare
  x.label = axis.name;
  if (const std::optional<int> bytes = programs::element_bytes_of(program); bytes && axis.name == "elements")
    x.label = fmt::format("elements ({} bytes each)", *bytes);
  x.log = log;
  if (!numeric(axis)) {
    x.log = false;
    for (const Json& v : axis.values) x.categories.push_back(value_text(v));
  }
  return x;
}

double x_value(const Axis& axis, const ChartAxis& x, size_t index) {
  return x.categories.empty() ? axis.values[index].get<double>() : static_cast<double>(index);
}

// The look of a line: the first parameter determines the colour, all others together the shape. A single parameter
// determines both. When colours repeat, the shapes differ.
void dress(Series& s, const std::vector<Axis>& axes, size_t combination) {
  size_t rest = 1;
  for (size_t i = 1; i < axes.size(); ++i) rest *= axes[i].values.size();
  const size_t colour = combination / rest;
  s.colour = static_cast<int>(colour % kPaletteColours);
  s.shape = static_cast<int>(axes.size() == 1 ? combination : combination % rest + rest * (colour / kPaletteColours));
}

// The chart of one facet, without its lines.
Chart frame(const Plot& plot, const Arrangement& a, const Json& facet, const Table& table, const std::string& program) {
  Chart chart;
  // Omit parameters with a single value, which do not distinguish charts.
  Json telling = Json::object();
  for (const Axis& axis : a.facets) {
    if (axis.values.size() > 1) telling[axis.name] = facet.at(axis.name);
  }
  chart.name = plot.name;
  chart.title = plot.title;
  for (const auto& [name, value] : telling.items()) chart.name += "-" + name + "-" + value_text(value);
  if (!telling.empty()) chart.title += " (" + parameters_text(telling) + ")";
  chart.name = file_name(chart.name);
  chart.x = x_axis(a.x, plot.log_x, program);
  chart.y = {table.title, shown_unit(table.unit), plot.log_y, {}};
  return chart;
}

bool has_points(const Chart& chart) {
  if (std::any_of(chart.cells.begin(), chart.cells.end(), [](const HeatCell& c) { return c.value.has_value(); })) {
    return true;
  }
  return std::any_of(chart.series.begin(), chart.series.end(), [](const Series& s) {
    return std::any_of(s.points.begin(), s.points.end(), [](const ChartPoint& p) { return p.y.has_value(); });
  });
}

std::vector<size_t> by_x(const Axis& axis, const ChartAxis& x) {
  std::vector<size_t> order(axis.values.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t i, size_t j) { return x_value(axis, x, i) < x_value(axis, x, j); });
  return order;
}

// Adds the chart if it has points.
void add_chart(Chart chart, Figures& out) {
  if (has_points(chart)) {
    out.charts.push_back(std::move(chart));
  } else {
    out.skipped.push_back(fmt::format("plot '{}': none of its points has been simulated", chart.name));
  }
}

// Bars over the values of x, which are always treated as texts.
void add_bars(const Plot& plot, const std::vector<Table>& quantities, const Table& total, const std::string& program,
              const std::string& where, Figures& out) {
  const Arrangement a = arrange(total, plot, where);
  const std::string who = fmt::format("plot '{}'", plot.name);
  for (const Json& facet : combinations(a.facets)) {
    Chart chart = frame(plot, a, facet, total, program);
    chart.stacked = true;
    chart.x.log = chart.y.log = false;
    chart.x.categories.clear();
    for (const Json& value : a.x.values) chart.x.categories.push_back(value_text(value));
    for (size_t i = 0; i < plot.stack.size(); ++i) {
      const Table& part = quantity_named(quantities, plot.stack[i], where, who);
      Series s;
      s.label = part.title;
      s.colour = static_cast<int>(i % kPaletteColours);
      s.shape = static_cast<int>(i);
      for (size_t v = 0; v < a.x.values.size(); ++v) {
        Json parameters = facet;
        parameters[a.x.name] = a.x.values[v];
        s.points.push_back({static_cast<double>(v), part.at(parameters)});
      }
      chart.series.push_back(std::move(s));
    }
    add_chart(std::move(chart), out);
  }
}

// Cells in the order of the axes' values. Columns and rows are always treated as texts.
void add_heat_map(const Plot& plot, const Table& table, const std::string& program, const std::string& where,
                  Figures& out) {
  const Arrangement a = arrange(table, plot, where);
  const Axis& rows = *find_axis(table.axes, plot.rows);
  for (const Json& facet : combinations(a.facets)) {
    Chart chart = frame(plot, a, facet, table, program);
    chart.title += fmt::format(": {}{}", table.title, shown_unit(table.unit).empty() ? "" : " (" + table.unit + ")");
    chart.x.categories.clear();
    for (const Json& value : a.x.values) chart.x.categories.push_back(value_text(value));
    chart.y = x_axis(rows, false, program);
    chart.y.categories.clear();
    for (const Json& value : rows.values) chart.y.categories.push_back(value_text(value));
    for (size_t column = 0; column < a.x.values.size(); ++column) {
      for (size_t row = 0; row < rows.values.size(); ++row) {
        Json parameters = facet;
        parameters[a.x.name] = a.x.values[column];
        parameters[rows.name] = rows.values[row];
        chart.cells.push_back({static_cast<int>(column), static_cast<int>(row), table.at(parameters)});
      }
    }
    add_chart(std::move(chart), out);
  }
}

// Lines with more points, such as time series, are drawn without markers, which would hide them.
constexpr size_t kMostMarkers = 200;

// The smallest and largest measured value at a point over all values of an axis; nothing if there is none.
std::optional<ChartRange> range_at(const Table& table, const Axis& over, Json parameters, double x) {
  std::optional<ChartRange> range;
  for (const Json& value : over.values) {
    parameters[over.name] = value;
    const std::optional<double> y = table.at(parameters);
    if (!y) continue;
    range = range ? ChartRange{x, std::min(range->low, *y), std::max(range->high, *y)} : ChartRange{x, *y, *y};
  }
  return range;
}

void add_plot(const Plot& plot, const Table& table, const std::string& program, const std::string& where,
              Figures& out) {
  const Arrangement a = arrange(table, plot, where);
  const Axis* band = plot.band.empty() ? nullptr : find_axis(table.axes, plot.band);
  for (const Json& facet : combinations(a.facets)) {
    Chart chart = frame(plot, a, facet, table, program);
    if (table.unit.empty()) chart.reference = 1;  // a ratio: above 1, `over` is larger
    const std::vector<Json> lines = combinations(a.series);
    for (size_t i = 0; i < lines.size(); ++i) {
      Series s;
      s.label = label_text(lines[i]);
      dress(s, a.series, i);
      s.line = chart.x.categories.empty();  // texts have no values in between
      if (s.line && a.x.values.size() > kMostMarkers) s.marker = Marker::kNone;
      for (const size_t v : by_x(a.x, chart.x)) {
        Json parameters = facet;
        parameters.update(lines[i]);
        parameters[a.x.name] = a.x.values[v];
        const double x = x_value(a.x, chart.x, v);
        if (band != nullptr) {
          if (const auto range = range_at(table, *band, parameters, x)) s.band.push_back(*range);
          parameters[band->name] = band->values.front();  // the value of the line itself
        }
        const RecordedBar* const bar = band == nullptr ? table.bar_at(parameters) : nullptr;
        if (bar != nullptr) s.band.push_back({x, bar->low, bar->high});
        s.points.push_back({x, table.at(parameters)});
      }
      chart.series.push_back(std::move(s));
    }
    add_chart(std::move(chart), out);
  }
}

// How to draw a model: like the study's first plot of the metric, or else over the longest numeric axis.
Plot model_plot(const Study& study, const Table& metric) {
  for (const Plot& plot : study.plots) {
    if (plot.y != metric.name || !plot.rows.empty()) continue;
    Plot same = plot;
    same.band.clear();  // make a chart for each of its values
    return same;
  }
  const Axis* x = nullptr;
  for (const Axis& axis : metric.axes) {
    const bool better = x == nullptr || (numeric(axis) && !numeric(*x)) ||
                        (numeric(axis) == numeric(*x) && axis.values.size() > x->values.size());
    if (better) x = &axis;
  }
  Plot plot;
  if (x == nullptr) return plot;
  plot.x = x->name;
  for (const Axis& axis : metric.axes) {
    if (axis.name != x->name) plot.series.push_back(axis.name);
  }
  return plot;
}

// One line of a model chart: the prediction as a line, and simulated values as points by verdict.
struct ModelLine {
  Series predicted, agree, outside, disagree;
};

void add_model(const std::string& model, const std::vector<models::CheckRow>& checks, const Study& study,
               const Table& metric, const std::string& where, Figures& out) {
  Plot plot = model_plot(study, metric);
  if (plot.x.empty()) return;  // a single point is in the report's table
  plot.name = "model-" + model;
  plot.title = fmt::format("{}: {} against simulation", study.title, model);
  const Arrangement a = arrange(metric, plot, where);
  Table rows = metric;  // used to find the cell of each row
  std::vector<const models::CheckRow*> row_at(rows.cells.size(), nullptr);
  for (const models::CheckRow& row : checks) {
    if (row.model != model) continue;
    const std::optional<size_t> cell = rows.cell_of(row.parameters);
    if (!cell) throw std::invalid_argument("cross-check row is of no point: " + parameters_text(row.parameters));
    row_at[*cell] = &row;
  }
  for (const Json& facet : combinations(a.facets)) {
    Chart chart = frame(plot, a, facet, metric, study.program);
    std::vector<Series> points;
    bool agree = false, outside = false, disagree = false;
    const bool joined = chart.x.categories.empty() && a.x.values.size() > 1;  // otherwise a line would be invisible
    const std::vector<Json> lines = combinations(a.series);
    for (size_t i = 0; i < lines.size(); ++i) {
      ModelLine line;
      dress(line.predicted, a.series, i);
      line.predicted.line = joined;
      line.predicted.marker = joined ? Marker::kNone : Marker::kPlus;
      line.agree = line.outside = line.disagree = line.predicted;
      line.agree.line = line.outside.line = line.disagree.line = false;
      line.agree.marker = Marker::kFilled;
      line.outside.marker = Marker::kHollow;
      line.disagree.marker = Marker::kCross;
      line.predicted.label = label_text(lines[i]);
      for (const size_t v : by_x(a.x, chart.x)) {
        Json parameters = facet;
        parameters.update(lines[i]);
        parameters[a.x.name] = a.x.values[v];
        const double x = x_value(a.x, chart.x, v);
        const models::CheckRow* row = row_at[*rows.cell_of(parameters)];
        if (row == nullptr) {
          line.predicted.points.push_back({x, std::nullopt});
          continue;
        }
        line.predicted.points.push_back({x, row->predicted_s});
        Series& simulated = row->verdict == models::Verdict::kAgrees    ? line.agree
                            : row->verdict == models::Verdict::kOutside ? line.outside
                                                                        : line.disagree;
        simulated.points.push_back({x, row->simulated_s});
      }
      const bool drawn = std::any_of(line.predicted.points.begin(), line.predicted.points.end(),
                                     [](const ChartPoint& p) { return p.y.has_value(); });
      if (!drawn) continue;  // a combination that the model does not cover
      chart.series.push_back(std::move(line.predicted));
      const auto add = [&](Series& s, bool& any) {
        if (s.points.empty()) return;
        any = true;
        points.push_back(std::move(s));
      };
      add(line.agree, agree);
      add(line.outside, outside);
      add(line.disagree, disagree);
    }
    if (chart.series.empty()) continue;
    chart.series.insert(chart.series.end(), points.begin(), points.end());  // on top of all lines
    const auto key = [&](const std::string& label, bool line, Marker marker) {
      chart.series.push_back({label, -1, 0, line, marker, {}});
    };
    key("predicted", joined, joined ? Marker::kNone : Marker::kPlus);
    if (agree) key("simulated, agrees", false, Marker::kFilled);
    if (outside) key("simulated, outside model", false, Marker::kHollow);
    if (disagree) key("simulated, DISAGREES", false, Marker::kCross);
    out.charts.push_back(std::move(chart));
  }
}

}  // namespace

Figures figures(const Results& results, const std::vector<Table>& quantities,
                const std::vector<models::CheckRow>& checks) {
  const Study& study = results.manifest.study;
  const std::string where = (results.folder / "manifest.json").string();
  Figures out;
  for (const Plot& plot : study.plots) {
    const std::string who = fmt::format("plot '{}'", plot.name);
    const Table& y = quantity_named(quantities, plot.y, where, who);
    if (!plot.rows.empty()) {
      add_heat_map(plot, y, study.program, where, out);
    } else if (plot.stack.empty()) {
      add_plot(plot, y, study.program, where, out);
    } else {
      add_bars(plot, quantities, y, study.program, where, out);
    }
  }
  std::vector<std::string> models;
  for (const models::CheckRow& row : checks) {
    if (std::find(models.begin(), models.end(), row.model) == models.end()) models.push_back(row.model);
  }
  for (const std::string& model : models) add_model(model, checks, study, quantities.front(), where, out);
  std::set<std::string> taken;
  for (Chart& chart : out.charts) {
    const std::string name = chart.name;
    for (int n = 2; !taken.insert(chart.name).second; ++n) chart.name = fmt::format("{}-{}", name, n);
  }
  return out;
}

}  // namespace strata::analysis
