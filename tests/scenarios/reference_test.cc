// SPDX-License-Identifier: LGPL-2.1-only
// The generated page and schema of scenario files follow from the tables of keys, and these are correct: a key's
// default is the value of a scenario without it, and its example can be read. To generate the files again:
//
//   tools/regenerate-docs --reference && git diff docs/reference schemas
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
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

// A line for each required key, and what the examples of other keys refer to.
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

// All members of a scenario, for comparison. A new member does not compile until it is added here.
std::string text_of(const Scenario& s) {
  const auto& [file, study, program, source, folder, machine, xml, nodes, what_ifs, swept_figures, mapping, bindings,
               rules, seed, time_limit_s] = s;
  const auto& [map_by, bind_to, oversubscribe, seed_of_mapping, cores_per_rank] = mapping;
  std::ostringstream text;
  text << file << to_json(study) << program << " " << source << folder << " " << machine << " " << xml << nodes << " "
       << what_ifs.size() << " " << swept_figures.size() << " " << map_by.name() << " " << bind_to.name() << " "
       << oversubscribe << " " << seed_of_mapping << " " << cores_per_rank << bindings << rules.size() << seed << " "
       << time_limit_s;
  return text.str();
}

TEST(ScenarioKeys, TheirDefaultsAreWhatAScenarioWithoutThemHas) {
  const std::string without = text_of(load(least()));
  const auto expect_default = [&](const std::string& key, const std::string& line) {
    std::map<std::string, std::string> lines = least();
    lines[key] = line;
    EXPECT_EQ(text_of(load(lines)), without) << line;
  };
  int of_the_file = 0, of_mapping = 0;
  for (const KeyOf<Scenario>& row : scenario_keys()) {
    if (!row.key.usual.empty()) {
      expect_default(row.key.name, row.key.name + ": " + row.key.usual);
      ++of_the_file;
    }
    if (row.key.name != "mapping") continue;
    for (const Key& key : row.key.value.keys()) {
      if (key.usual.empty()) continue;
      expect_default("mapping", "mapping: {" + key.name + ": " + key.usual + "}");
      ++of_mapping;
    }
  }
  EXPECT_EQ(of_the_file, 10)
      << "allocation, shim, mpi, mpi_rules, traces, traffic, engine, error_bars, seed, time_limit";
  EXPECT_EQ(of_mapping, 3) << "map_by, bind_to, oversubscribe";
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
