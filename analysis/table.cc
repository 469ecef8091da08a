// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/format.h"
#include "base/error.h"

namespace strata::analysis {

std::optional<size_t> Table::cell_of(const Json& parameters) const {
  size_t cell = 0;
  for (const Axis& axis : axes) {
    const auto given = parameters.find(axis.name);
    if (given == parameters.end()) return std::nullopt;
    const auto value = std::find(axis.values.begin(), axis.values.end(), *given);
    if (value == axis.values.end()) return std::nullopt;
    cell = cell * axis.values.size() + static_cast<size_t>(value - axis.values.begin());
  }
  return cell;
}

std::optional<double> Table::at(const Json& parameters) const {
  const std::optional<size_t> cell = cell_of(parameters);
  return cell ? cells[*cell] : std::nullopt;
}

const RecordedBar* Table::bar_of(size_t cell) const { return bars.empty() || !bars[cell] ? nullptr : &*bars[cell]; }

const RecordedBar* Table::bar_at(const Json& parameters) const {
  const std::optional<size_t> cell = cell_of(parameters);
  return cell ? bar_of(*cell) : nullptr;
}

Json Table::parameters_of(size_t cell) const {
  std::vector<size_t> index(axes.size());
  for (size_t i = axes.size(); i-- > 0; cell /= axes[i].values.size()) index[i] = cell % axes[i].values.size();
  Json parameters = Json::object();
  for (size_t i = 0; i < axes.size(); ++i) parameters[axes[i].name] = axes[i].values[index[i]];
  return parameters;
}

size_t Table::missing() const { return static_cast<size_t>(std::count(cells.begin(), cells.end(), std::nullopt)); }

const Axis* find_axis(const std::vector<Axis>& axes, const std::string& name) {
  const auto axis = std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == name; });
  return axis == axes.end() ? nullptr : &*axis;
}

std::vector<Json> combinations(const std::vector<Axis>& axes) {
  Study study;
  study.sweep = axes;
  return study.points();
}

std::vector<Axis> axes_without(const std::vector<Axis>& axes, const std::vector<std::string>& without) {
  std::vector<Axis> rest;
  for (const Axis& axis : axes) {
    if (std::find(without.begin(), without.end(), axis.name) == without.end()) rest.push_back(axis);
  }
  return rest;
}

namespace {

// The axes of the sweep, and parameters that the program itself varies within a point (as a ping-pong varies sizes).
// The latter occur only in the records; their values are in the order of occurrence.
std::vector<Axis> axes_of(const Results& results, const Metric& metric) {
  const Study& study = results.manifest.study;
  std::vector<Axis> axes = study.sweep;
  for (const Record& record : results.records) {
    if (record.metric != metric.name) continue;
    for (const auto& [name, value] : record.parameters.items()) {
      if (find_axis(study.sweep, name) != nullptr) continue;
      auto axis = std::find_if(axes.begin(), axes.end(), [&, &known = name](const Axis& a) { return a.name == known; });
      if (axis == axes.end()) axis = axes.insert(axes.end(), Axis{name, {}});
      if (std::find(axis->values.begin(), axis->values.end(), value) == axis->values.end())
        axis->values.push_back(value);
    }
  }
  return axes;
}

}  // namespace

Table measured(const Results& results, const Metric& metric) {
  const std::string file = (results.folder / "records.jsonl").string();
  Table table{metric.name, metric.name, metric.unit, axes_of(results, metric), {}};
  table.cells.resize(combinations(table.axes).size());
  bool any = false;
  for (const Record& record : results.records) {
    if (record.metric != metric.name) continue;
    any = true;
    const std::string point = fmt::format("point {} ({})", record.point, parameters_text(record.parameters));
    const std::optional<size_t> cell = table.cell_of(record.parameters);
    if (!cell) {
      throw InputError(file, point + " is not in the sweep of manifest.json",
                       "the two files are not of one run; run the scenario again with another --out");
    }
    if (record.unit != metric.unit) {
      throw InputError(file, fmt::format("{} is in '{}'", point, record.unit),
                       fmt::format("manifest.json says that {} is in '{}'", metric.name, metric.unit));
    }
    std::optional<double>& value = table.cells[*cell];
    if (value && *value != record.value) {
      throw InputError(file,
                       fmt::format("{} has two values of {}: {} and {}", point, metric.name, *value, record.value),
                       "remove the wrong line");
    }
    value = record.value;
    if (!record.bar) continue;
    table.bars.resize(table.cells.size());
    table.bars[*cell] = record.bar;
  }
  if (!any) {
    throw InputError(file, fmt::format("has no record of '{}'", metric.name),
                     "nothing was measured yet: run the scenario, or continue it with --resume");
  }
  return table;
}

}  // namespace strata::analysis
