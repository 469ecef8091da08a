// SPDX-License-Identifier: LGPL-2.1-only
#include "scenarios/scenario.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "records/placeholders.h"
#include "scenarios/gone_values.h"
#include "scenarios/rule_files.h"
#include "scenarios/scenario_keys.h"
#include "scenarios/settings.h"
#include "scenarios/sweep.h"

namespace strata {
namespace {

// The number and places of ranks must be given either in the file or in its sweep, and not in both.
void check_launch(const YamlReader& yaml, const Scenario& s) {
  const std::set<std::string> swept = parameters_set_by(s.study);
  if (!swept.contains(kRanksAxis)) yaml.at(kRanksAxis, "give a number, or `all` for one rank a core");
  const auto once = [&](const YamlReader& mapping, const char* key) {
    if (swept.contains(key) && mapping.has(key)) mapping.at(key).fail("is also set by the sweep", "keep one");
  };
  once(yaml, kRanksAxis);
  once(yaml, kShimAxis);
  once(yaml, kMpiAxis);
  once(yaml, kMpiRulesAxis);
  once(yaml, kAllocationAxis);
  const bool allocated = swept.contains(kAllocationAxis) || !s.study.allocation.empty();
  if (allocated && !s.bindings.empty()) {
    yaml.at("mapping").fail("has bindings, which say where ranks are regardless of the allocation", "leave one out");
  }
  if (swept.contains(kAllocationAxis) && !swept.contains(kRanksAxis) && s.study.ranks == 0)
    yaml.at(kRanksAxis).fail("is `all`, but allocations differ in their cores", "give a number");
  if (yaml.has("mapping")) {
    once(yaml.at("mapping"), kProgressAxis);
    once(yaml.at("mapping"), kMapByAxis);
    if (swept.contains(kMapByAxis) && !s.bindings.empty())
      yaml.at("mapping").fail("has bindings, which say where ranks are already", "leave one out");
  }
}

// Checks figures whose values come from an axis.
void check_figures(const YamlReader& yaml, Scenario& s) {
  const std::set<std::string> swept = parameters_set_by(s.study);
  for (const SweptFigure& f : s.swept_figures) {
    if (!swept.contains(f.parameter) || is_for_launcher(f.parameter))
      throw InputError(f.change.where, "'{" + f.parameter + "}' names no axis", "the axes are " + axes_of(s.study));
    s.study.figures[f.parameter].push_back(f.change.figure);
  }
  if (!s.study.figures.empty() && yaml.has("models"))
    yaml.at("models").fail("predict one machine, and the sweep has many", "leave it out");
}

// A replay only measures the simulated time.
void check_engine(const Scenario& s) {
  if (s.study.engine != Engine::kReplay) return;
  const auto fail = [&](const std::string& what, const std::string& remedy) {
    throw InputError(s.file.string(), "engine: replay gives no " + what, remedy);
  };
  for (const Metric& m : s.study.metrics()) {
    if (m.name != kSimulatedTime || m.unit != kSimulatedTimeUnit || !m.pattern.empty())
      fail("'" + m.name + "', which the program prints", "measure simulated_time, or leave engine out");
  }
  if (s.study.traces) fail("traces", "leave one out");
  if (traffic_of(s.study.traffic)->kept) fail("traffic", "leave one out");
}

// Only a user's program can be run without `metric`; its simulated time is then measured.
void check_metric(const YamlReader& yaml, const Scenario& s) {
  const bool users = s.program.find('/') != std::string::npos;
  if (!users) yaml.at("metric", "give `{name: time, unit: s}`");
}

// Checks that names in braces in a list of arguments are known when the program runs.
void check_names(const YamlReader& list, const std::set<std::string>& known, const std::string& remedy) {
  for (const YamlReader& argument : list.items()) {
    if (argument.is_empty()) continue;
    for (const std::string& name : names_in_braces(argument.text())) {
      if (!known.contains(name)) argument.fail("'{" + name + "}' names no axis", remedy);
    }
  }
}

void check_arguments(const YamlReader& yaml, const Scenario& s) {
  std::set<std::string> known = parameters_set_by(s.study);
  known.insert(kRanksAxis);
  const std::string remedy = fmt::format("known are {}; write {{{{ for a brace", fmt::join(known, ", "));
  if (yaml.has("arguments")) check_names(yaml.at("arguments"), known, remedy);
  if (!s.study.reference) return;
  // The run of the reference does not belong to a point.
  const std::string at_no_point = "the reference has only {ranks}; give the axis to the points as --AXIS VALUE";
  for (const std::string& name : s.study.named_in_arguments()) {
    if (name != kRanksAxis)
      yaml.at("arguments").fail("'{" + name + "}' has no value in the run of the reference", at_no_point);
  }
  const YamlReader reference = yaml.at("reference");
  if (reference.has("arguments")) check_names(reference.at("arguments"), {kRanksAxis}, at_no_point);
}

}  // namespace

Scenario load_scenario(const std::filesystem::path& file, const std::vector<std::string>& settings) {
  const YamlReader yaml(file.string(), load_yaml(file));
  require_schema(yaml, kScenarioSchema);
  Scenario s;
  s.file = file;
  s.study.metric = kSimulatedTime;
  s.study.unit = kSimulatedTimeUnit;
  read_keys(yaml, scenario_keys(), s);
  check_launch(yaml, s);
  check_metric(yaml, s);
  check_arguments(yaml, s);
  check_figures(yaml, s);
  find_rule_files(yaml.folder(), s);
  for (const std::string& setting : settings) apply_setting(setting, s);
  find_rule_files("", s);
  check_engine(s);
  if (!s.swept_figures.empty()) {
    for (const Json& point : s.study.points()) what_ifs_at(s, s.study.parameters_of(point));
  }
  prune_removed(s.study);
  return s;
}

std::vector<WhatIf> what_ifs_at(const Scenario& scenario, const Json& parameters) {
  std::vector<WhatIf> changes;
  for (const SweptFigure& f : scenario.swept_figures) {
    const Json& value = parameters.at(f.parameter);
    if (!value.is_number()) {
      throw InputError(f.change.where, "axis " + f.parameter + " has " + value.dump() + ", which is not a number",
                       "give numbers");
    }
    changes.push_back(f.change);
    changes.back().value = value.get<double>();
    changes.back().where += " at " + f.parameter + "=" + value.dump();
  }
  return changes;
}

std::vector<std::string> scenario_names(const std::filesystem::path& catalog) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(catalog, error)) {
    if (entry.path().extension() != ".yaml") continue;
    std::filesystem::path name = entry.path().lexically_relative(catalog);
    names.push_back(name.replace_extension().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::filesystem::path find_scenario(const std::string& spec, const std::filesystem::path& catalog) {
  const std::vector<std::string> names = scenario_names(catalog);
  if (std::find(names.begin(), names.end(), spec) != names.end()) return catalog / (spec + ".yaml");
  std::error_code ignored;
  if (std::filesystem::exists(spec, ignored)) return spec;
  const std::string meant = did_you_mean(spec, names);
  throw InputError("scenario '" + spec + "'", "is neither in the catalog nor a file",
                   (meant.empty() ? "" : meant + " ") + "`strata run --list` lists all");
}

}  // namespace strata
