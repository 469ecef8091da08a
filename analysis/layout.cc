// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/layout.h"

#include <algorithm>

#include "analysis/format.h"

namespace strata::analysis {
namespace {

const Axis* row_axis(const Study& study, const std::vector<Axis>& candidates) {
  for (const Plot& plot : study.plots) {
    if (const Axis* axis = find_axis(candidates, plot.x)) return axis;
  }
  const auto longest = std::max_element(candidates.begin(), candidates.end(),
                                        [](const Axis& a, const Axis& b) { return a.values.size() < b.values.size(); });
  return longest == candidates.end() ? nullptr : &*longest;
}

std::string join(const std::string& a, const std::string& b) { return a + (a.empty() || b.empty() ? "" : ", ") + b; }

// Lays out the columns of the metric, with the quantities `derived` along the axis `along` beside them (empty: none),
// and `others`, which are along no axis.
Layout lay_out(const Study& study, const Table& metric, const std::vector<const Table*>& derived,
               const std::vector<const Table*>& others, const std::string& along) {
  const std::vector<Axis> candidates = axes_without(metric.axes, {along});
  const Axis* rows = row_axis(study, candidates);
  const std::string row_name = rows == nullptr ? "" : rows->name;
  std::vector<Axis> rest = axes_without(candidates, {row_name});
  const Axis* columns = find_axis(metric.axes, along);
  for (const Axis& axis : rest) {  // the last axis with several values
    if (along.empty() && axis.values.size() > 1) columns = find_axis(metric.axes, axis.name);
  }
  if (columns != nullptr) rest = axes_without(rest, {columns->name});

  Layout layout;
  layout.row_heading = row_name;
  std::vector<Json> row_values = rows == nullptr ? std::vector<Json>{""} : rows->values;
  for (const Json& value : row_values) layout.rows.push_back(value_text(value));
  for (const Json& combination : combinations(rest)) {
    const std::string name = label_text(combination);
    Block block;
    const auto column = [&](const std::string& heading, const Table& table, Json parameters) {
      Column c{heading, table.unit, {}, {}};
      for (const Json& value : row_values) {
        if (rows != nullptr) parameters[row_name] = value;
        c.values.push_back(table.at(parameters));
        if (!table.bars.empty()) c.bars.push_back(table.bar_at(parameters));
      }
      block.columns.push_back(std::move(c));
    };
    const auto add = [&](const Table& table) {
      const Axis* axis = columns == nullptr ? nullptr : find_axis(table.axes, columns->name);
      if (axis == nullptr) return column(table.name, table, combination);
      for (const Json& value : axis->values) {
        Json parameters = combination;
        parameters[columns->name] = value;
        column(label_text(Json{{columns->name, value}}), table, parameters);
      }
    };
    const auto finish = [&](const std::string& heading) {
      block.heading = heading;
      layout.blocks.push_back(std::move(block));
      block = Block();
    };
    const bool apart = columns != nullptr && !others.empty();
    add(metric);
    for (const Table* table : derived) column(table->name, *table, combination);
    if (apart) finish(join(name, metric.name));
    for (const Table* table : others) {
      add(*table);
      if (apart) finish(join(name, table->name));
    }
    if (!apart) finish(name);
  }
  if (layout.blocks.size() == 1) layout.blocks.front().heading.clear();
  return layout;
}

}  // namespace

std::vector<Layout> layouts(const Study& study, const std::vector<Table>& quantities) {
  const size_t metrics = study.metrics().size();
  std::vector<std::string> alongs;
  std::vector<const Table*> others;
  for (size_t i = 1; i < metrics; ++i) others.push_back(&quantities[i]);
  for (size_t i = 0; i < study.derived.size(); ++i) {
    const Derived& d = study.derived[i];
    if (d.over.is_null()) {
      others.push_back(&quantities[metrics + i]);
    } else if (std::find(alongs.begin(), alongs.end(), d.axis) == alongs.end()) {
      alongs.push_back(d.axis);
    }
  }
  if (alongs.empty()) alongs.push_back("");
  std::vector<Layout> all;
  for (const std::string& along : alongs) {
    std::vector<const Table*> derived;
    for (size_t i = 0; i < study.derived.size(); ++i) {
      const Derived& d = study.derived[i];
      if (!d.over.is_null() && d.axis == along) derived.push_back(&quantities[metrics + i]);
    }
    all.push_back(lay_out(study, quantities.front(), derived, others, along));
    others.clear();
  }
  return all;
}

}  // namespace strata::analysis
