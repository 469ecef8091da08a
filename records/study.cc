// SPDX-License-Identifier: LGPL-2.1-only
#include "records/study.h"

#include <algorithm>

#include "records/placeholders.h"
#include "records/study_fields.h"

namespace strata {
std::vector<Metric> Study::metrics() const {
  std::vector<Metric> all = {{metric, unit, pattern}};
  all.insert(all.end(), also.begin(), also.end());
  return all;
}

std::vector<Json> Study::points() const {
  std::vector<Json> points = {Json::object()};
  for (const Axis& axis : sweep) {
    std::vector<Json> longer;
    longer.reserve(points.size() * axis.values.size());
    for (const Json& point : points) {
      for (const Json& value : axis.values) {
        longer.push_back(point);
        longer.back()[axis.name] = value;
      }
    }
    points = std::move(longer);
  }
  return points;
}

Json Study::parameters_of(const Json& point) const {
  Json parameters = Json::object();
  for (const auto& [name, value] : point.items()) {
    const auto axis =
        std::find_if(sweep.begin(), sweep.end(), [&, &name = name](const Axis& a) { return a.name == name; });
    if (axis == sweep.end() || axis->cases.empty()) {
      parameters[name] = value;
    } else {
      parameters.update(axis->cases.at(value.get<std::string>()));
    }
  }
  return parameters;
}

std::vector<std::string> Study::arguments_at(const Json& parameters) const {
  Json values = {{kRanksAxis, ranks}};
  values.update(parameters);
  std::vector<std::string> filled;
  for (const std::string& argument : arguments) filled.push_back(with_values(argument, values));
  return filled;
}

std::set<std::string> Study::named_in_arguments() const {
  std::set<std::string> names;
  for (const std::string& argument : arguments) {
    for (const std::string& name : names_in_braces(argument)) names.insert(name);
  }
  return names;
}

bool Study::sweeps(const std::string& parameter) const {
  return std::any_of(sweep.begin(), sweep.end(), [&](const Axis& a) {
    return a.cases.empty() ? a.name == parameter : a.cases.begin()->second.contains(parameter);
  });
}

std::string Study::ranks_text() const {
  if (ranks != 0) return std::to_string(ranks);
  std::vector<int> numbers;
  for (const Json& point : points()) {
    const Json parameters = parameters_of(point);
    if (!parameters.contains(kRanksAxis)) return "0";
    numbers.push_back(parameters[kRanksAxis]);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers.size() > 2) return std::to_string(numbers.front()) + " to " + std::to_string(numbers.back());
  std::string text;
  for (const int n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}

Json to_json(const Study& study) { return study; }

Study study_from_json(const Json& json) { return json.get<Study>(); }

}  // namespace strata
