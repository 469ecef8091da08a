// SPDX-License-Identifier: LGPL-2.1-only
#include "scenarios/rule_files.h"

#include <set>
#include <utility>

#include "base/error.h"
#include "base/own_file.h"
#include "collectives/rules/read_rules.h"

namespace strata {
namespace {

// Calls `each(mpi, rules)` for every point.
template <class Each>
void for_each_point(const Study& study, const Each& each) {
  for (const Json& point : study.points()) {
    const Json parameters = study.parameters_of(point);
    each(parameters.value(kMpiAxis, study.mpi), parameters.value(kMpiRulesAxis, study.mpi_rules));
  }
}

bool is_file(const std::string& name) { return !name.empty() && name != kNoRules; }

}  // namespace

GivenRules read_given_rules(const std::filesystem::path& file, const std::string& mpi, const std::string& where) {
  collectives::read_rules(file, collectives::parse_library(mpi, where));
  return {file, read_whole(file)};
}

RuleFiles read_rule_files(const Scenario& scenario) {
  RuleFiles files;
  std::set<std::pair<std::string, std::string>> read;
  std::string unused;
  for_each_point(scenario.study, [&](const std::string& mpi, const std::string& name) {
    if (!is_file(name)) return;
    if (!has_other_collectives(mpi)) {
      unused = name;
    } else if (read.emplace(mpi, name).second) {
      files[name] = read_given_rules(scenario.rules.at(name), mpi, kMpiAxis);
    }
  });
  if (files.empty() && !unused.empty()) {
    throw InputError(scenario.file.string(),
                     "mpi_rules is '" + unused + "', but no point has an MPI library that reads it",
                     "add for example mpi: openmpi-4.1");
  }
  return files;
}

void find_rule_files(const std::filesystem::path& folder, Scenario& scenario) {
  const auto find = [&](const std::string& name) {
    if (is_file(name)) scenario.rules.emplace(name, folder / name);
  };
  for (const Axis& axis : scenario.study.sweep) {
    if (axis.name == kMpiRulesAxis) {
      for (const Json& name : axis.values) find(name.get<std::string>());
    }
    for (const auto& [value, parameters] : axis.cases) {
      if (parameters.contains(kMpiRulesAxis)) find(parameters[kMpiRulesAxis].get<std::string>());
    }
  }
}

}  // namespace strata
