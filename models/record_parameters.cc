// SPDX-License-Identifier: LGPL-2.1-only
#include "models/record_parameters.h"

#include <fmt/format.h>

#include "base/error.h"

namespace strata::models {

RecordParameters::RecordParameters(const Manifest& manifest, const Record& record, std::string where)
    : record_(record), parameters_(parameters_of(manifest, record)), where_(std::move(where)) {}

void RecordParameters::fail(const std::string& what, const std::string& remedy) const {
  throw InputError(where_, "a record of point " + std::to_string(record_.point) + " " + what, remedy);
}

std::string RecordParameters::text(const std::string& name) const {
  const auto at = parameters_.find(name);
  if (at == parameters_.end() || !at->is_string()) {
    fail("has no text `" + name + "`", "name it in the scenario's sweep");
  }
  return at->get<std::string>();
}

double RecordParameters::number(const std::string& name) const {
  const auto at = parameters_.find(name);
  if (at == parameters_.end() || !at->is_number() || at->get<double>() < 0) {
    fail("has no number `" + name + "` of 0 or more", "name it in the scenario's sweep");
  }
  return at->get<double>();
}

double RecordParameters::seconds() const {
  if (record_.unit != "s") fail("has a time in '" + record_.unit + "'", "models predict times in s");
  return record_.value;
}

const LevelCosts& find_level(const Machine& machine, const std::string& level, const std::string& where) {
  for (const LevelCosts& c : machine.levels) {
    if (c.level == level) return c;
  }
  std::vector<std::string> names;
  for (const LevelCosts& c : machine.levels) names.push_back(c.level);
  throw InputError(where, "level '" + level + "' is not in machine.yaml",
                   fmt::format("it has {}", fmt::join(names, ", ")));
}

}  // namespace strata::models
