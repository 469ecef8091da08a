// SPDX-License-Identifier: LGPL-2.1-only
// Every key of a scenario file: its value, and its default.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "scenarios/scenario.h"
#include "tests/scenarios/scenario_file.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

TEST_F(ScenarioFile, Whole) {
  const Scenario s = load(kWhole);
  EXPECT_EQ(s.file, file_);
  EXPECT_EQ(s.study.scenario, "whole");
  EXPECT_EQ(s.study.title, "All that a scenario may say");
  EXPECT_EQ(fs::path(s.machine).lexically_normal(), (folder_ / "../machines/mine.yaml").lexically_normal());
  EXPECT_EQ(s.study.program, "./prog.so") << "results do not say where the scenario lay";
  EXPECT_EQ(fs::path(s.program).lexically_normal(), folder_ / "prog.so");
  EXPECT_EQ(s.study.arguments, (std::vector<std::string>{"--root", "0"}));
  EXPECT_EQ(s.study.ranks, 12);
  EXPECT_EQ(s.mapping.map_by.name(), "numa");
  EXPECT_EQ(s.mapping.bind_to.name(), "l3");
  EXPECT_TRUE(s.mapping.oversubscribe);
  ASSERT_EQ(s.study.sweep.size(), 3u);
  EXPECT_EQ(s.study.sweep[1].name, "elements");
  EXPECT_EQ(s.study.sweep[1].values, (std::vector<Json>{1, 1000000, 0.5, 7, -3}));
  EXPECT_TRUE(s.study.sweep[1].values[1].is_number_integer()) << "programs count in ints";
  EXPECT_EQ(s.study.sweep[2].values, std::vector<Json>{"native"});
  EXPECT_EQ(s.study.points().size(), 10u);
  EXPECT_EQ(s.study.metric, "time");
  EXPECT_EQ(s.study.unit, "s");
  ASSERT_EQ(s.study.metrics().size(), 3u);
  EXPECT_EQ(s.study.metrics()[0].name, "time");
  EXPECT_EQ(s.study.also[0].unit, "s");
  EXPECT_EQ(s.study.also[1].name, "traffic");
  EXPECT_EQ(s.study.also[1].unit, "B");
  EXPECT_EQ(s.study.derived[0].title, "gain");
  EXPECT_EQ(s.study.derived[1].title, "what is lost");
  EXPECT_EQ(s.study.derived[1].over, "binomial");
  EXPECT_EQ(s.study.derived[1].metric, "computing");
  EXPECT_EQ(s.study.derived[0].metric, "");
  ASSERT_EQ(s.study.models.size(), 2u);
  EXPECT_EQ(s.study.models[1].model, "loggp");
  EXPECT_EQ(s.study.models[1].tolerance, 0.5);
  EXPECT_FALSE(s.study.plots[0].log_x);
  EXPECT_TRUE(s.study.plots[1].log_x);
  EXPECT_EQ(s.study.plots[0].series, std::vector<std::string>{"algorithm"});
  EXPECT_EQ(s.study.claims[0].where, Json({{"elements", 1}}));
  EXPECT_EQ(s.study.claims[0].note, "n");
  EXPECT_EQ(s.study.claims[1].missing, Missing::kMemory);
  EXPECT_EQ(s.study.claims[0].missing, Missing::kNothing) << "the default";
  EXPECT_EQ(s.study.claims[1].value, 0.5);
  EXPECT_TRUE(s.study.plots[0].stack.empty());
  EXPECT_EQ(s.study.plots[2].stack, std::vector<std::string>{"computing"});
  EXPECT_EQ(s.study.plots[2].rows, "");
  EXPECT_EQ(s.study.plots[3].y, "gain");
  EXPECT_EQ(s.study.plots[3].rows, "algorithm");
  EXPECT_EQ(s.study.claims[2].over, Over::kSpread);
  EXPECT_EQ(s.study.claims[3].over, Over::kShareGaining);
  EXPECT_EQ(s.study.claims[3].where, Json({{"elements", {1, 0.5}}}));
  EXPECT_TRUE(s.study.traces);
  EXPECT_TRUE(s.study.error_bars);
  EXPECT_EQ(s.study.traffic, "10 ms");
  EXPECT_EQ(s.seed, 1ULL << 53);
  EXPECT_EQ(s.time_limit_s, 30);
  EXPECT_EQ(s.source, "from somewhere");
  EXPECT_EQ(s.study.build, "make CC=mpicc");
  EXPECT_EQ(s.study.folder, "my input") << "results do not say where the scenario lay";
  EXPECT_EQ(s.folder, folder_ / "my input");
}

TEST_F(ScenarioFile, LeftOut) {
  const Scenario s = load(
      "schema: strata.scenario/1\nname: n\ntitle: t\nmachine: {xml: my node.xml, nodes: 3}\nprogram: collective\n"
      "ranks: all\nmapping: {bindings: b.txt}\nmetric: {name: time, unit: s}\n");
  EXPECT_EQ(s.machine, "");
  EXPECT_EQ(s.xml, folder_ / "my node.xml");
  EXPECT_EQ(s.nodes, 3);
  EXPECT_EQ(s.program, "collective");
  EXPECT_EQ(s.bindings, folder_ / "b.txt");
  EXPECT_EQ(s.study.ranks, 0);
  EXPECT_EQ(s.mapping.map_by.name(), "core");
  EXPECT_EQ(s.mapping.bind_to.name(), "core");
  EXPECT_FALSE(s.mapping.oversubscribe);
  EXPECT_FALSE(s.study.traces);
  EXPECT_FALSE(s.study.error_bars);
  EXPECT_EQ(s.study.traffic, "off");
  EXPECT_EQ(s.source, "");
  EXPECT_EQ(s.study.build, "");
  EXPECT_EQ(s.study.folder, "");
  EXPECT_EQ(s.folder, "");
  EXPECT_EQ(s.study.pattern, "");
  EXPECT_EQ(s.seed, 1u);
  EXPECT_EQ(s.time_limit_s, 600);
  EXPECT_EQ(s.study.points().size(), 1u);
}

TEST_F(ScenarioFile, BandOfAPlot) {
  const auto plot = [&](const std::string& more) { return with("y: time}", "y: time, " + more + "}"); };
  EXPECT_EQ(load(kWhole).study.plots[1].band, "");
  EXPECT_EQ(load(plot("band: algorithm")).study.plots[1].band, "algorithm");
  EXPECT_EQ(error(plot("band: elements")),
            "a scenario.yaml:22: plots[1].band: is x, or among the series, too; name another parameter of the sweep");
  EXPECT_EQ(error(plot("series: [algorithm], band: algorithm")),
            "a scenario.yaml:22: plots[1].band: is x, or among the series, too; name another parameter of the sweep");
  EXPECT_EQ(error(with("heat: gain", "heat: gain, band: variant")),
            "a scenario.yaml:24: plots[3].band: does not go with `heat`; leave one out");
}

TEST_F(ScenarioFile, PlotsNameWhatTheProgramVaries) {
  std::string text = kWhole;
  text.replace(text.find("seed: 9"), 0, "varies: [size, side]\n");
  const auto with_x = [&](const std::string& x) {
    std::string other = text;
    return other.replace(other.find("x: elements, y: time"), 11, "x: " + x);
  };
  const Scenario s = load(with_x("size"));
  EXPECT_EQ(s.study.varies, (std::vector<std::string>{"size", "side"}));
  EXPECT_EQ(s.study.plots[1].x, "size");
  EXPECT_NE(error(with_x("length")), "");
  text.replace(text.find("varies: [size"), 13, "varies: [elements");
  EXPECT_NE(error(text).find("is already an axis of the sweep; leave it out"), std::string::npos);
}

TEST_F(ScenarioFile, ARatioWithoutOverIsOfEveryOtherValue) {
  const std::string text = with("over: linear, under: binomial", "under: binomial");
  const Derived gain = load(text).study.derived[0];
  EXPECT_TRUE(gain.over.is_null());
  EXPECT_EQ(gain.under, "binomial");
  EXPECT_EQ(load(text, {"algorithm=chain,binomial"}).study.derived.size(), 1u) << "the loss is gone, the gain is not";
  EXPECT_TRUE(load(text, {"algorithm=binomial"}).study.derived.empty()) << "there is no other value";
  EXPECT_TRUE(load(text, {"algorithm=linear"}).study.derived.empty());
}

// The arguments of a user's program: any text, with the values of the sweep in place of names in braces.
TEST_F(ScenarioFile, Arguments) {
  const Scenario s = load(with("[--root, 0]", "[-e, '{elements}', '', 'a \"b\" *', '{{x}', '{ranks}']"));
  EXPECT_EQ(s.study.arguments, (std::vector<std::string>{"-e", "{elements}", "", "a \"b\" *", "{{x}", "{ranks}"}));
  EXPECT_EQ(s.study.named_in_arguments(), (std::set<std::string>{"elements", "ranks"}));
  EXPECT_EQ(s.study.arguments_at({{"elements", 0.5}}),
            (std::vector<std::string>{"-e", "0.5", "", "a \"b\" *", "{x}", "12"}));
  EXPECT_EQ(s.study.arguments_at({{"ranks", 7}}).back(), "7") << "where the sweep says it";
  EXPECT_EQ(load(kWhole, {"algorithm=a b, c*"}).study.sweep[0].values, (std::vector<Json>{"a b", "c*"}));

  // The run for the reference is not a point of the sweep.
  std::string text = kPlacing;
  text.replace(text.find("mapping:"), 0, "arguments: ['{steps}', '{library}']\n");
  const std::string at = "a scenario.yaml:6: arguments";
  EXPECT_THAT(error(text),
              ::testing::StartsWith(at + "[1]: '{library}' names no axis; known are progress, ranks, steps"));
  text.replace(text.find(", '{library}'"), 13, "");
  EXPECT_THAT(error(text), ::testing::StartsWith(at + ": '{steps}' has no value in the run of the reference; "));
  text.replace(text.find("{steps}"), 7, "{ranks}");
  EXPECT_EQ(error(text), "");
  text.replace(text.find("blocking"), 8, "'{steps}'");
  EXPECT_THAT(error(text), ::testing::HasSubstr("reference.arguments[1]: '{steps}' names no axis; the reference has"));
}

TEST_F(ScenarioFile, Metrics) {
  const Scenario s = load(with("unit: s}", "unit: s, pattern: 'FOM\\s*=\\s*(\\S+)'}"));
  EXPECT_EQ(s.study.pattern, "FOM\\s*=\\s*(\\S+)");
  EXPECT_EQ(s.study.metrics()[0].pattern, s.study.pattern);
  EXPECT_EQ(s.study.metrics()[1].pattern, "");
  // Without a metric, a user's program is timed. For a program of the catalog the scenario must name the metric.
  const std::string without = with("metric: {name: time, unit: s}\n", "");
  std::string timed = without;
  for (size_t at = 0; (at = timed.find(": time", at)) != std::string::npos;) timed.replace(at, 6, ": simulated_time");
  EXPECT_EQ(load(timed).study.metric, "simulated_time");
  EXPECT_EQ(load(timed).study.unit, "s");
  timed.replace(timed.find("./prog.so"), 9, "collective");
  EXPECT_EQ(error(timed), "a scenario.yaml:2: 'metric' is missing; give `{name: time, unit: s}`");
}

}  // namespace
}  // namespace strata
