// SPDX-License-Identifier: LGPL-2.1-only
// The scenarios of the catalog, and the recipes for well-known programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "platforms/allocation.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "platforms/progress_placement.h"
#include "scenarios/scenario.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

fs::path runfiles() { return fs::path(std::getenv("TEST_SRCDIR")) / "strata"; }

// Checks that all ranks and progress threads of a point can be placed.
void expect_fits(const Scenario& s, const Machine& machine, const Json& parameters) {
  const Topology& t = *machine.topology;
  const std::string allocation = parameters.value(kAllocationAxis, s.study.allocation);
  int ranks = parameters.value(kRanksAxis, s.study.ranks);
  if (ranks == 0) ranks = static_cast<int>(t.cores().size());
  const std::vector<Binding> placed = s.bindings.empty()
                                          ? place_job(machine, allocation, ranks, s.mapping, kAllocationAxis)
                                          : read_bindings(s.bindings, t, s.study.ranks);
  EXPECT_FALSE(placed.empty());
  const std::string policy = parameters.value(kProgressAxis, s.study.progress);
  if (policy.empty()) return;
  EXPECT_EQ(place_progress(t, placed, policy).size(), placed.size());
}

// Every scenario of the catalog has a name of its own and an existing machine and program, and its ranks fit.
TEST(Catalog, EveryScenario) {
  const fs::path catalog = runfiles() / "scenarios/catalog";
  const std::vector<std::string> names = scenario_names(catalog);
  EXPECT_GE(names.size(), 2u);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  std::set<std::string> own_names;
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Scenario s = load_scenario(find_scenario(name, catalog));
    EXPECT_TRUE(own_names.insert(s.study.scenario).second) << "another scenario has this name";
    EXPECT_TRUE(fs::exists(runfiles() / "scenarios/programs" / (s.study.program + ".so"))) << s.study.program;
    const Machine machine =
        s.xml.empty() ? find_machine(s.machine, runfiles() / "platforms/data") : machine_from_xml(s.xml, s.nodes);
    EXPECT_FALSE(s.study.points().empty());
    for (const Json& point : s.study.points()) expect_fits(s, machine, s.study.parameters_of(point));
    for (const ModelCheck& m : s.study.models) {
      EXPECT_TRUE(std::set<std::string>({"hockney", "loggp", "max-rate", "split-tree"}).contains(m.model)) << m.model;
    }
  }
}

// Recipes for well-known programs can be read, and say where to get the program.
TEST(Recipes, SayWhereTheProgramComesFrom) {
  int recipes = 0;
  for (const auto& entry : fs::directory_iterator(runfiles() / "scenarios/examples")) {
    SCOPED_TRACE(entry.path());
    const Scenario s = load_scenario(entry.path());
    EXPECT_THAT(s.source, ::testing::HasSubstr("https://"));
    EXPECT_NE(s.study.build, "");
    const std::vector<Metric> metrics = s.study.metrics();
    EXPECT_TRUE(std::any_of(metrics.begin(), metrics.end(), [](const Metric& m) { return !m.pattern.empty(); }));
    EXPECT_EQ(s.study.program.find("./"), 0u) << "beside the scenario";
    const Machine machine = find_machine(s.machine, runfiles() / "platforms/data");
    for (const Json& point : s.study.points()) expect_fits(s, machine, s.study.parameters_of(point));
    ++recipes;
  }
  EXPECT_EQ(recipes, 4);
}

TEST(Catalog, NotThere) {
  const fs::path catalog = runfiles() / "scenarios/catalog";
  try {
    find_scenario("nosuch", catalog);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "scenario 'nosuch': is neither in the catalog nor a file; `strata run --list` lists all");
  }
  try {
    find_scenario("fig5-bcast", catalog);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(),
                 "scenario 'fig5-bcast': is neither in the catalog nor a file; did you mean pdsec20/fig5-bcast or "
                 "rr9077/fig5-bcast-ntw10e5? `strata run --list` lists all");
  }
}

}  // namespace
}  // namespace strata
