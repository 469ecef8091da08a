// SPDX-License-Identifier: LGPL-2.1-only
// Where ranks are: allocations, cases of an axis, a reference, and the shim.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "scenarios/rule_files.h"
#include "scenarios/scenario.h"
#include "tests/scenarios/scenario_file.h"

namespace strata {
namespace {

// A text or a mapping, or an axis of texts, even if they look like numbers.
TEST_F(ScenarioFile, Allocation) {
  const auto allocation = [&](const std::string& value) {
    return load(with("ranks: 12", "ranks: 12\nallocation: " + value)).study.allocation;
  };
  EXPECT_EQ(load(kWhole).study.allocation, "");
  EXPECT_EQ(allocation("first"), "");
  EXPECT_EQ(allocation("{shape: 2x2x8}"), "2x2x8");
  EXPECT_EQ(allocation("{seed: 7}"), "random:7");
  EXPECT_EQ(allocation("2x2x8"), "2x2x8");
  EXPECT_EQ(allocation("random:3"), "random:3");
  EXPECT_EQ(load(kWhole, {"allocation=4x4x2"}).study.allocation, "4x4x2");
  const Scenario swept = load(with("variant: native", "allocation: [first, 8, 2x2x8, \"random:1\"]"));
  EXPECT_EQ(swept.study.sweep[2].values, (std::vector<Json>{"first", "8", "2x2x8", "random:1"}));
  const std::string remedy = "; give first, a box of routers as 2x2x8, or random:SEED";
  const auto fault = [&](const std::string& value) {
    return error(with("ranks: 12", "ranks: 12\nallocation: " + value));
  };
  EXPECT_EQ(fault("2x2x"), "a scenario.yaml:9: allocation: '2x2x' is not an allocation" + remedy + " as random:1");
  EXPECT_EQ(fault("{shape: 2x2x8, seed: 1}"),
            "a scenario.yaml:9: allocation: does not have exactly one of shape and seed; give one");
  EXPECT_EQ(error(with("variant: native", "allocation: [first, last]")),
            "a scenario.yaml:13: sweep.allocation[1]: \"last\" is not an allocation" + remedy);
  EXPECT_EQ(error(kWhole, {"allocation=last"}),
            "--set allocation=last: 'last' is not an allocation" + remedy + " as random:1");
  std::string both = with("variant: native", "allocation: [first, 2x2x8]");
  both.replace(both.find("ranks: 12"), 9, "ranks: 12\nallocation: 2x2x8");
  EXPECT_EQ(error(both), "a scenario.yaml:9: allocation: is also set by the sweep; keep one");
  std::string all = with("variant: native", "allocation: [first, 2x2x8]");
  all.replace(all.find("ranks: 12"), 9, "ranks: all");
  EXPECT_EQ(error(all), "a scenario.yaml:8: ranks: is `all`, but allocations differ in their cores; give a number");
  std::string bound = with("{map_by: numa, bind_to: l3, oversubscribe: true}", "{bindings: b.txt}");
  bound.replace(bound.find("ranks: 12"), 9, "ranks: 12\nallocation: 2x2x8");
  EXPECT_EQ(error(bound),
            "a scenario.yaml:10: mapping: has bindings, which say where ranks are regardless of the allocation; leave "
            "one out");
}

TEST_F(ScenarioFile, PlacingRanks) {
  const Scenario s = load(kPlacing);
  EXPECT_EQ(s.study.ranks, 0);
  EXPECT_TRUE(s.study.sweeps_ranks());
  EXPECT_TRUE(s.study.sweeps_progress());
  EXPECT_TRUE(s.study.has_progress_threads());
  EXPECT_EQ(s.study.progress, "");
  ASSERT_EQ(s.study.points().size(), 4u);
  EXPECT_EQ(s.study.points()[1].dump(), R"({"ranks":2,"library":"bound"})");
  EXPECT_EQ(s.study.parameters_of(s.study.points()[1]), Json({{"ranks", 2}, {"progress", "bind"}, {"steps", 0}}));
  ASSERT_TRUE(s.study.reference);
  EXPECT_EQ(s.study.reference->ranks, 0);
  EXPECT_EQ(s.study.reference->arguments, (std::vector<std::string>{"--steps", "blocking"}));
  EXPECT_EQ(s.study.reference->metric, "effort");
  EXPECT_EQ(s.study.reference->option, "work");
  EXPECT_FALSE(s.study.reference->given);

  const Scenario set = load(kPlacing, {"ranks=3", "library=bound", "work=2.5e-3"});
  EXPECT_EQ(set.study.points().size(), 1u);
  EXPECT_EQ(set.study.reference->given, 0.0025);
  EXPECT_EQ(load(kWhole, {"progress=odd-even"}).study.progress, "odd-even");
}

TEST_F(ScenarioFile, PlacingRanksWrong) {
  const auto wrong = [&](const std::string& old, const std::string& fresh, const std::string& message) {
    std::string text = kPlacing;
    ASSERT_NE(text.find(old), std::string::npos) << old;
    text.replace(text.find(old), old.size(), fresh);
    EXPECT_EQ(error(text).substr(0, message.size()), message);
  };
  const std::string at = "a scenario.yaml:";
  wrong("[2, 62]", "[2, few]",
        at + "8: sweep.ranks[1]: \"few\" is not a number of ranks; give whole numbers from 1 to 100000000");
  wrong("[2, 62]", "[0]", at + "8: sweep.ranks[0]: 0 is not a number of ranks");
  wrong("{map_by: spread}", "{map_by: spread}\nranks: 3", at + "7: ranks: is also set by the sweep; keep one");
  wrong("spread}", "spread, progress: numa}", at + "6: mapping.progress: is also set by the sweep; keep one");
  wrong("ours", "7", at + "10: sweep.library.7: a case cannot be called '7'; use letters, digits, _ and -, and no");
  wrong("{steps: auto, progress: numa}", "{}", at + "10: sweep.library.ours: has no parameters; write as {steps: 0");
  wrong("steps: 0", "step: 0",
        at + "11: sweep.library.bound: has other parameters than case 'ours'; give all cases the same");
  wrong("{progress: bind, steps: 0}", "{steps: 0}", at + "11: sweep.library.bound: has other parameters than case");
  wrong("steps: auto", "steps: \"a\\n\"", at + "10: sweep.library.ours.steps: value \"a\\n\" has a control character");
  wrong("steps: auto", "st eps: auto", at + "10: sweep.library.ours: an axis cannot be called 'st eps'");
  wrong("  library", "  steps: [1]\n  library", at + "11: sweep.library: two axes set 'steps'; keep one");
  wrong("ranks: all, ", "", at + "13: reference: 'ranks' is missing; give a number, or `all` for one rank a core");
  wrong("metric: effort, ", "", at + "13: reference: 'metric' is missing; name what the program prints");
  wrong("option: work", "option: --work",
        at + "13: reference.option: '--work' is not the name of an option; write its name");
  wrong("option: work", "option: steps", at + "13: reference.option: an axis sets 'steps' too; keep one");
  wrong("option: work", "option: work, value: 3", at + "13: reference: unknown key 'value'; known keys are ranks,");
  EXPECT_EQ(error(kPlacing, {"ranks=2,x"}),
            "--set ranks=2,x: \"x\" is not a number of ranks; give whole numbers from 1 to 100000000");
  EXPECT_EQ(error(kPlacing, {"library=theirs"}),
            "--set library=theirs: axis library has no case 'theirs'; write it into the scenario");
  EXPECT_EQ(error(kPlacing, {"work=much"}), "--set work=much: 'much' is not a number; write a finite number");
  EXPECT_EQ(error(kPlacing, {"progress=bind"}), "--set progress=bind: is set by the sweep; narrow the axis instead");
}

// The collectives are those of SMPI or of a library, also as an axis.
TEST_F(ScenarioFile, Mpi) {
  const auto text = [&](const std::string& word) { return with("ranks: 12", "ranks: 12\nmpi: " + word); };
  EXPECT_EQ(load(kWhole).study.mpi, "");
  EXPECT_EQ(load(text("openmpi-4.1")).study.mpi, "openmpi-4.1");
  EXPECT_EQ(load(kWhole, {"mpi=openmpi-5.0"}).study.mpi, "openmpi-5.0");
  EXPECT_EQ(load(with("variant: native", "mpi: [smpi, openmpi-4.1.4]")).study.sweep[2].values,
            (std::vector<Json>{"smpi", "openmpi-4.1.4"}));
  for (const char* const word : {"openmpi-3.1", "openmpi", "41"}) {
    EXPECT_NE(error(text(word))
                  .find("is not an MPI library whose collectives are known; give smpi, openmpi-4.1, "
                        "openmpi-5.0, mpich-4.0 or mpich-4.2"),
              std::string::npos)
        << error(text(word));
  }
}

// A file of rules is relative to the scenario's file, and in a setting to the working directory.
TEST_F(ScenarioFile, RulesOfMpi) {
  const Scenario s = load(with("ranks: 12", "ranks: 12\nmpi_rules: rules.conf"), {"variant=native"});
  EXPECT_EQ(s.study.mpi_rules, "rules.conf");
  EXPECT_EQ(s.rules.at("rules.conf"), s.file.parent_path() / "rules.conf");
  EXPECT_EQ(load(kWhole, {"mpi_rules=rules.conf"}).rules.at("rules.conf"), "rules.conf");
  EXPECT_EQ(load(with("ranks: 12", "ranks: 12\nmpi_rules: none")).study.mpi_rules, "");
  const Scenario swept = load(with("variant: native", "mpi_rules: [none, a.conf, 7]"), {"mpi_rules=a.conf,b.conf"});
  EXPECT_EQ(swept.rules,
            (std::map<std::string, std::filesystem::path>{
                {"7", s.file.parent_path() / "7"}, {"a.conf", s.file.parent_path() / "a.conf"}, {"b.conf", "b.conf"}}));
  EXPECT_NE(error(with("variant: native", "mpi_rules: [none, a.conf]\nmpi_rules: a.conf")), "");
}

// Files are read before the first point, by the libraries of the points.
TEST_F(ScenarioFile, ReadsRulesOfMpi) {
  const std::string rules = ::testing::TempDir() + "/rules.conf";
  std::ofstream(rules) << "1\n7\n1\n64\n1\n0 6 0 0\n";
  const auto text = [&](const std::string& mpi) {
    return with("ranks: 12", "ranks: 12\nmpi_rules: none\nmpi: " + mpi);
  };
  const std::string setting = "mpi_rules=" + rules;
  EXPECT_TRUE(read_rule_files(load(text("openmpi-4.1"))).empty());
  EXPECT_EQ(read_rule_files(load(text("openmpi-4.1"), {setting})).at(rules).text, "1\n7\n1\n64\n1\n0 6 0 0\n");
  const auto error_of = [&](const std::string& mpi) -> std::string {
    try {
      read_rule_files(load(text(mpi), {setting}));
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_NE(error_of("smpi").find("no point has an MPI library that reads it; add for example mpi: openmpi-4.1"),
            std::string::npos);
  EXPECT_TRUE(error_of("mpich-4.0").starts_with(rules + ":2: the JSON is wrong at '7'")) << error_of("mpich-4.0");
}

// The shim is a word of the scenario or an axis, whose values YAML may take for booleans.
TEST_F(ScenarioFile, TheShim) {
  const auto text = [&](const std::string& word) { return with("ranks: 12", "ranks: 12\nshim: " + word); };
  EXPECT_EQ(load(kWhole).study.shim, "off");
  EXPECT_FALSE(load(kWhole).study.sweeps_shim());
  for (const char* word : {"on", "true", "'on'"}) EXPECT_EQ(load(text(word)).study.shim, "on") << word;
  for (const char* word : {"off", "false"}) EXPECT_EQ(load(text(word)).study.shim, "off") << word;
  EXPECT_EQ(load(text("nodecart")).study.shim, "nodecart");
  EXPECT_EQ(load(kWhole, {"shim=on"}).study.shim, "on");
  EXPECT_EQ(load(text("on"), {"shim=kdtree"}).study.shim, "kdtree");

  std::string axis = with("variant: native", "shim: [off, true, strips]");
  axis.replace(axis.find("axis: algorithm, over: linear, under: binomial"), 46, "axis: shim, over: false, under: on");
  const Scenario s = load(axis);
  EXPECT_TRUE(s.study.sweeps_shim());
  EXPECT_EQ(s.study.sweep[2].values, (std::vector<Json>{"off", "on", "strips"}));
  EXPECT_EQ(s.study.derived[0].over, "off");
  EXPECT_EQ(s.study.derived[0].under, "on");
  EXPECT_EQ(load(axis, {"shim=true,cart"}).study.sweep[2].values, (std::vector<Json>{"on", "cart"}));
  EXPECT_EQ(load(with("variant: native", "variant: {a: {shim: off}, b: {shim: on}}"))
                .study.parameters_of({{"variant", "b"}})["shim"],
            "on");

  const std::string remedy =
      " is not a valid shim value; give off, on or a method: auto, cart, nodecart, multilevel, blocks, hyperplane, "
      "kdtree, strips";
  const std::string choice =
      " is not a valid shim value; give off, on, auto, cart, nodecart, multilevel, blocks, hyperplane, kdtree or "
      "strips";
  EXPECT_EQ(error(text("maybe")), "a scenario.yaml:9: shim: 'maybe'" + choice);
  EXPECT_EQ(error(text("1")), "a scenario.yaml:9: shim: '1'" + choice);
  EXPECT_EQ(error(with("variant: native", "shim: [off, yes]")), "a scenario.yaml:13: sweep.shim[1]: \"yes\"" + remedy);
  EXPECT_EQ(error(with("variant: native", "shim: [off, false]")),
            "a scenario.yaml:13: sweep.shim: duplicate value \"off\"; keep one");
  EXPECT_EQ(error(kWhole, {"shim=near"}), "--set shim=near: 'near'" + choice);
  EXPECT_EQ(error(axis, {"shim=off,near"}), "--set shim=off,near: \"near\"" + remedy);
  const std::string both = axis + "shim: on\n";
  EXPECT_THAT(error(both), ::testing::HasSubstr(": shim: is also set by the sweep; keep one"));
}

}  // namespace
}  // namespace strata
