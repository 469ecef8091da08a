// SPDX-License-Identifier: LGPL-2.1-only
// The generated page and schema of scenario files are those that the tables of keys give, and what the tables say of a
// key holds: its default is what a scenario without it has, its example can be read. To make the files again:
//
//   tools/regenerate-docs --reference && git diff docs/reference schemas
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "scenarios/scenario_keys.h"
#include "tests/platforms/generated_file.h"

namespace strata {
namespace {

std::string slurp(const std::string& file) {
  std::ifstream in(file);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

TEST(ScenarioReference, IsUpToDate) {
  expect_generated("docs/reference/scenario.md", scenario_reference(slurp("scenarios/catalog/quickstart.yaml")));
}

TEST(ScenarioSchema, IsUpToDate) { expect_generated("schemas/scenario.schema.json", scenario_schema()); }

// A line for each key that must be there, and what the examples of others name.
std::map<std::string, std::string> least() {
  return {{"schema", "schema: strata.scenario/1"},
          {"name", "name: n"},
          {"title", "title: t"},
          {"machine", "machine: m"},
          {"program", "program: p"},
          {"ranks", "ranks: 2"},
          {"sweep", "sweep: {variant: [native, hierarchical], elements: [1, 10], algorithm: [linear]}"},
          {"metric", "metric: {name: time, unit: s}"}};
}

Scenario load(const std::map<std::string, std::string>& lines) {
  const std::string file = ::testing::TempDir() + "/scenario.yaml";
  std::ofstream out(file);
  for (const auto& [key, line] : lines) out << line << "\n";
  out.close();
  return load_scenario(file);
}

// All that a scenario has, for comparison.
std::string text_of(const Scenario& s) {
  return to_json(s.study).dump() + s.machine + s.mapping.map_by.name() + s.mapping.bind_to.name() +
         (s.mapping.oversubscribe ? "over" : "") + s.bindings.string() + std::to_string(s.seed) + " " +
         std::to_string(s.time_limit_s);
}

TEST(ScenarioKeys, TheirDefaultsAreWhatAScenarioWithoutThemHas) {
  const std::string without = text_of(load(least()));
  int defaults = 0;
  for (const KeyOf<Scenario>& row : scenario_keys()) {
    if (row.key.usual.empty()) continue;
    std::map<std::string, std::string> lines = least();
    lines[row.key.name] = row.key.name + ": " + row.key.usual;
    EXPECT_EQ(text_of(load(lines)), without) << row.key.name;
    ++defaults;
  }
  for (const Key& key : std::vector<Key>(scenario_keys()[8].key.value.keys())) {  // of mapping
    if (key.usual.empty()) continue;
    std::map<std::string, std::string> lines = least();
    lines["mapping"] = "mapping: {" + key.name + ": " + key.usual + "}";
    EXPECT_EQ(text_of(load(lines)), without) << key.name;
    ++defaults;
  }
  EXPECT_EQ(defaults, 8) << "shim, traces, traffic, seed, time_limit; map_by, bind_to, oversubscribe";
}

TEST(ScenarioKeys, TheirExamplesAreRead) {
  for (const KeyOf<Scenario>& row : scenario_keys()) {
    if (row.key.example.empty()) continue;
    std::map<std::string, std::string> lines = least();
    lines[row.key.name] = row.key.example;
    EXPECT_NO_THROW(load(lines)) << row.key.example;
  }
}

TEST(ScenarioKeys, EveryOneHasAMeaning) {
  for (const KeyOf<Scenario>& row : scenario_keys()) {
    EXPECT_TRUE(row.key.meaning.ends_with('.')) << row.key.name;
    EXPECT_EQ(row.key.meaning.find('|'), std::string::npos) << row.key.name << ": the page is a table";
  }
}

}  // namespace
}  // namespace strata
