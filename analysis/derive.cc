// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/derive.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/difference_bar.h"
#include "base/error.h"

namespace strata::analysis {

Table derive(const Table& metric, const Derived& derived, const std::string& where) {
  if (find_axis(metric.axes, derived.axis) == nullptr) {
    throw InputError(
        where, fmt::format("derived '{}' is along '{}', which the sweep does not have", derived.name, derived.axis));
  }
  Table table{derived.name, derived.title, "", metric.axes, {}};
  if (derived.over.is_null()) {
    for (Axis& axis : table.axes) {
      if (axis.name == derived.axis) std::erase(axis.values, derived.under);
    }
  } else {
    table.axes = axes_without(metric.axes, {derived.axis});
  }
  for (Json parameters : combinations(table.axes)) {
    if (!derived.over.is_null()) parameters[derived.axis] = derived.over;
    const std::optional<double> over = metric.at(parameters);
    const RecordedBar* const of_over = metric.bar_at(parameters);
    parameters[derived.axis] = derived.under;
    const std::optional<double> under = metric.at(parameters);
    const RecordedBar* const of_under = metric.bar_at(parameters);
    const bool known = over && under && *under != 0;
    table.cells.push_back(known ? std::optional<double>(*over / *under) : std::nullopt);
    if (metric.bars.empty()) continue;
    const bool barred = known && of_over != nullptr && of_under != nullptr;
    table.bars.push_back(barred ? ratio_bar(*over, *of_over, *under, *of_under) : std::nullopt);
  }
  return table;
}

std::vector<Table> quantities(const Results& results) {
  const std::string where = (results.folder / "manifest.json").string();
  std::vector<Table> all;
  for (const Metric& metric : results.manifest.study.metrics()) all.push_back(measured(results, metric));
  for (const Derived& derived : results.manifest.study.derived) {
    const std::string who = fmt::format("derived '{}'", derived.name);
    const Table& metric = derived.metric.empty() ? all.front() : quantity_named(all, derived.metric, where, who);
    all.push_back(derive(metric, derived, where));
  }
  return all;
}

const Table& quantity_named(const std::vector<Table>& quantities, const std::string& name, const std::string& where,
                            const std::string& who) {
  std::vector<std::string> names;
  for (const Table& table : quantities) {
    if (table.name == name) return table;
    names.push_back(table.name);
  }
  throw InputError(where, fmt::format("{} asks for '{}', which is neither measured nor derived", who, name),
                   fmt::format("there are: {}", fmt::join(names, ", ")));
}

}  // namespace strata::analysis
