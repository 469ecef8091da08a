// SPDX-License-Identifier: LGPL-2.1-only
// Scenario files: every key, a one-line error for every fault, settings, and the catalog.
#include "scenarios/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "platforms/allocation.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "platforms/progress_placement.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhole = R"(# a comment
schema: strata.scenario/1
name: whole
title: All that a scenario may say
machine: ../machines/mine.yaml
program: ./prog.so
arguments: [--root, 0]
ranks: 12
mapping: {map_by: numa, bind_to: l3, oversubscribe: true}
sweep:
  algorithm: [linear, binomial]
  elements: [1, 1e6, 0.5, 007, -3]
  variant: native
metric: {name: time, unit: s}
also: [{name: computing, unit: s}, {name: traffic, unit: B}]
derived:
  - {name: gain, axis: algorithm, over: linear, under: binomial}
  - {name: loss, title: what is lost, axis: algorithm, over: binomial, under: linear, metric: computing}
models: {hockney: 0.02, loggp: 0.5}
plots:
  - {name: p1, title: T, x: elements, y: gain, series: [algorithm], log_x: false, log_y: true}
  - {name: p2, title: U, x: elements, y: time}
  - {name: p3, title: V, x: algorithm, y: time, stack: [computing]}
  - {name: p4, title: W, x: elements, y: algorithm, heat: gain}
claims:
  - {id: c1, paper: P, text: t, quantity: gain, over: max, where: {elements: 1}, value: 21, factor: 1.25, note: n}
  - {id: c2, paper: P, text: t, quantity: time, over: min, value: 0.5, factor: 1, missing: memory}
  - {id: c3, paper: P, text: t, quantity: computing, over: spread, value: 1, relation: at_most}
  - {id: c4, paper: P, text: t, quantity: gain, over: share_gaining, where: {elements: [1, 0.5]}, value: 0.9,
     relation: at_least}
seed: 9007199254740992
time_limit: 30
traces: true
traffic: 10 ms
source: "from somewhere"
build: make CC=mpicc
folder: my input
)";

class ScenarioFile : public ::testing::Test {
 protected:
  ScenarioFile() : folder_(fs::path(std::getenv("TEST_TMPDIR")) / "scenarios") {
    fs::create_directories(folder_);
    file_ = folder_ / "a scenario.yaml";
  }
  Scenario load(const std::string& text, const std::vector<std::string>& settings = {}) {
    std::ofstream(file_) << text;
    return load_scenario(file_, settings);
  }
  // The error message of loading without the folder; "" if it loads.
  std::string error(const std::string& text, const std::vector<std::string>& settings = {}) {
    try {
      load(text, settings);
      return "";
    } catch (const InputError& e) {
      const std::string message = e.what();
      return message.rfind(folder_.string() + "/", 0) == 0 ? message.substr(folder_.string().size() + 1) : message;
    }
  }
  // kWhole with one piece of text replaced.
  static std::string with(const std::string& old, const std::string& fresh) {
    std::string text = kWhole;
    const size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return text.replace(at, old.size(), fresh);
  }

  fs::path folder_, file_;
};

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

// Each fault with its place, what is wrong, and what would be right.
TEST_F(ScenarioFile, Faults) {
  struct Case {
    std::string text, message;
  };
  const std::string at = "a scenario.yaml:";
  const std::vector<Case> cases = {
      {with("strata.scenario/1", "strata.scenario/2"),
       at + "2: schema: is not strata.scenario/1; this version reads strata.scenario/1"},
      {with("schema: strata.scenario/1\n", ""), at + "2: 'schema' is missing; begin with `schema: strata.scenario/1`"},
      {with("name: whole", "nam: whole"), at + "3: unknown key 'nam'; known keys are "},
      {with("title: All", "name: All"), at + "4: duplicate key 'name'; keep one"},
      {with("name: whole\n", ""), at + "2: 'name' is missing; add it"},
      {with("machine: ../machines/mine.yaml\n", ""),
       at + "2: 'machine' is missing; name a machine of the catalog, or {xml: FILE, nodes: N}"},
      {with("machine: ../machines/mine.yaml", "machine: {xml: x.xml}"), at + "5: machine: 'nodes' is missing"},
      {with("machine: ../machines/mine.yaml", "machine: {xml: x.xml, nodes: 0}"),
       at + "5: machine.nodes: '0' is not a whole number from 1 to 1000000; write one"},
      {with("machine: ../machines/mine.yaml", "machine: {xml: x.xml, nodes: 1, cores: 2}"),
       at + "5: machine: unknown key 'cores'; known keys are xml, nodes"},
      {with("machine: ../machines/mine.yaml", "machine: [a]"), at + "5: machine: is not a text"},
      {with("program: ./prog.so\n", ""),
       at + "2: 'program' is missing; name a program of the catalog, or the path of one built with smpicc"},
      {with("[--root, 0]", "--root"), at + "7: arguments: is not a list"},
      {with("[--root, 0]", "[--root, '{roots}']"),
       at + "7: arguments[1]: '{roots}' names no axis; known are algorithm, elements, ranks, variant; write {{ for a "
            "brace"},
      {with("[--root, 0]", "[--root, 'a {b c}']"),
       at +
           "7: arguments[1]: 'a {b c}' has a brace without the name of an axis; write {NAME} for the value of an axis, "
           "{{ for a brace"},
      {with("map_by: numa", "map_by: socket"),
       at + "9: mapping.map_by: 'socket' is not a valid map_by value; give node, numa, package, group, l3, l2, core, "
            "spread, block-cyclic or random"},
      {with("bind_to: l3", "bind_to: spread"),
       at + "9: mapping.bind_to: 'spread' is not a valid bind_to value; give node, numa, package, group, l3, l2, core "
            "or none"},
      {with("All that", "All \xE9 that"),
       at + "4: has a byte that is not UTF-8; save the file as UTF-8, for example with iconv"},
      {with("ranks: 12\n", ""), at + "2: 'ranks' is missing; give a number, or `all` for one rank a core"},
      {with("ranks: 12", "ranks: 0"), at + "8: ranks: '0' is not a whole number from 1 to 100000000; write one"},
      {with("ranks: 12", "ranks: many"), at + "8: ranks: 'many' is not a whole number from 1 to 100000000"},
      {with("ranks: 12", "ranks: 1.5"), at + "8: ranks: '1.5' is not a whole number"},
      {with("oversubscribe: true", "oversubscribe: perhaps"),
       at + "9: mapping.oversubscribe: is neither true nor false; write one"},
      {with("bind_to: l3", "bind: l3"),
       at + "9: mapping: unknown key 'bind'; known keys are map_by, bind_to, oversubscribe, bindings, progress"},
      {with("bind_to: l3", "bindings: b.txt"), at + "9: mapping: has bindings and a policy; give one or the other"},
      {with("[linear, binomial]", "[]"), at + "11: sweep.algorithm: has no values; write at least one, or leave the "
                                              "axis out"},
      {with("[linear, binomial]", "[linear, linear]"),
       at + "11: sweep.algorithm: duplicate value \"linear\"; keep one"},
      {with("1e6, 0.5", "1, 0.5"), at + "12: sweep.elements: duplicate value 1; keep one"},
      {with("1e6, 0.5", "1.0, 0.5"), at + "12: sweep.elements: duplicate value 1; keep one"},
      {with("[linear, binomial]", "[linear, \"in\\torder\"]"),
       at + "11: sweep.algorithm[1]: value \"in\\torder\" has a control character; leave it out"},
      {with("[linear, binomial]", "[linear, [a]]"), at + "11: sweep.algorithm[1]: is not a text"},
      {with("algorithm: [", "algo rithm: ["),
       at + "11: sweep.algo rithm: an axis cannot be called 'algo rithm'; use letters, digits, _ and -"},
      {with("variant: native", "elements: 3"), at + "11: sweep: duplicate axis 'elements'; keep one"},
      {with("unit: s}", "unit: s, pattern: 'a('}"),
       at + "14: metric.pattern: 'a(' cannot be used: missing ): a(; write for example 'FOM = (\\S+)'"},
      {with("unit: B}", "unit: B, pattern: a}"),
       at + "15: also[1].pattern: 'a' cannot be used: no group in parentheses for the number; write for example"},
      {with("unit: s}", "units: s}"), at + "14: metric: unknown key 'units'; known keys are name, unit"},
      {with("axis: algorithm", "axis: speed"),
       at + "17: derived[0].axis: the sweep has no axis 'speed'; the axes are algorithm, elements, variant"},
      {with("metric: computing", "metric: gain"),
       at + "18: derived[1].metric: unknown metric 'gain'; known metrics are time, computing, traffic"},
      {with("over: linear", "over: chain"),
       at + "17: derived[0].over: axis algorithm has no value \"chain\"; it has \"linear\", \"binomial\""},
      {with("name: computing", "name: time"), at + "15: also[0].name: duplicate quantity 'time'; choose another name"},
      {with("computing, unit: s", "computing"), at + "15: also[0]: 'unit' is missing; add it"},
      {with("traffic, unit", "traffic, units"), at + "15: also[1]: unknown key 'units'; known keys are name, unit"},
      {with("[{name: computing, unit: s}, {name: traffic, unit: B}]", "computing"), at + "15: also: is not a list"},
      {with("name: loss", "name: traffic"),
       at + "18: derived[1].name: duplicate quantity 'traffic'; choose another name"},
      {with("stack: [computing]", "stack: [speed]"),
       at + "23: plots[2].stack[0]: unknown metric 'speed'; known metrics are time, computing, traffic"},
      {with("stack: [computing]", "stack: [gain]"), at + "23: plots[2].stack[0]: unknown metric 'gain'"},
      {with("y: time, stack", "y: gain, stack"), at + "23: plots[2].y: unknown metric 'gain'"},
      {with("stack: [computing]", "stack: [computing, computing]"),
       at + "23: plots[2].stack[1]: duplicate metric 'computing'; keep one"},
      {with("stack: [computing]", "stack: [traffic]"),
       at + "23: plots[2].stack[0]: 'traffic' is in 'B', 'time' in 's'; stack metrics of one unit"},
      {with("stack: [computing]", "stack: []"),
       at + "23: plots[2].stack: is empty; name the metrics that a bar is made of, or leave it out"},
      {with("stack: [computing]", "stack: [computing], log_y: false"),
       at + "23: plots[2].log_y: does not go with `stack`; leave one out"},
      {with("stack: [computing]", "stack: [computing], series: [variant]"),
       at + "23: plots[2].series: does not go with `stack`; leave one out"},
      {with("name: loss", "name: gain"), at + "18: derived[1].name: duplicate quantity 'gain'; choose another name"},
      {with("name: loss", "name: time"), at + "18: derived[1].name: duplicate quantity 'time'; choose another name"},
      {with("hockney: 0.02", "hockney: 0"),
       at + "19: models.hockney: is not a relative tolerance; write for example 0.02 for 2 %"},
      {with("hockney: 0.02", "hockney: 1"), at + "19: models.hockney: is not a relative tolerance"},
      {with("hockney: 0.02", "hockney: nan"), at + "19: models.hockney: 'nan' is not a number; write a finite number"},
      {with("hockney: 0.02, loggp", "loggp: 0.02, loggp"), at + "19: models: duplicate model 'loggp'; keep one"},
      {with("x: elements, y: gain", "x: bytes, y: gain"), at + "21: plots[0].x: the sweep has no axis 'bytes'"},
      {with("y: gain", "y: grain"),
       at + "21: plots[0].y: unknown quantity 'grain'; known quantities are time, computing, traffic, gain, loss"},
      {with("series: [algorithm]", "series: [a]"), at + "21: plots[0].series[0]: the sweep has no axis 'a'"},
      {with("log_x: false", "log_x: 3"), at + "21: plots[0].log_x: is neither true nor false; write one"},
      {with("name: p2", "name: p1"), at + "22: plots[1].name: duplicate plot 'p1'; choose another name"},
      {with("name: p2", "name: ../p2"),
       at + "22: plots[1].name: a plot cannot be called '../p2'; use letters, digits, _ and -: plots are files"},
      {with("y: algorithm, heat: gain", "y: gain, heat: gain"), at + "24: plots[3].y: the sweep has no axis 'gain'"},
      {with("y: algorithm, heat: gain", "y: algorithm, heat: loud"),
       at + "24: plots[3].heat: unknown quantity 'loud'; known quantities are time, computing, traffic, gain, loss"},
      {with("y: algorithm, heat: gain", "y: elements, heat: gain"),
       at + "24: plots[3].y: is 'elements', as x is; name another parameter of the sweep"},
      {with("heat: gain", "heat: gain, log_y: false"),
       at + "24: plots[3].log_y: does not go with `heat`; leave one out"},
      {with("paper: P, text", "text"), at + "26: claims[0]: 'paper' is missing; name paper, section, figure or table"},
      {with("quantity: gain", "quantity: joy"), at + "26: claims[0].quantity: unknown quantity 'joy'"},
      {with("over: max", "over: mean"),
       at + "26: claims[0].over: 'mean' is not a valid value; give max, min, spread, share_gaining or argmin"},
      {with("over: max", "over: argmin"), at + "26: claims[0]: 'axis' is missing; name the axis whose value is meant"},
      {with("over: max", "over: argmin, axis: size"), at + "26: claims[0].axis: the sweep has no axis 'size'"},
      {with("over: max", "over: max, axis: elements"),
       at + "26: claims[0].axis: is only for `over: argmin`; leave it out"},
      {with("where: {elements: 1}", "where: {bytes: 1}"),
       at + "26: claims[0].where: the sweep has no axis 'bytes'; the axes are algorithm, elements, variant"},
      {with("where: {elements: 1}", "where: {elements: 2}"),
       at + "26: claims[0].where.elements: axis elements has no value 2; it has 1, 1000000, 0.5, 7, -3"},
      {with("missing: memory", "missing: time"), at + "27: claims[1].missing: 'time' is not a valid value; give "
                                                      "memory, mechanism, parameter, paper, impossible or "
                                                      "ours"},
      {with("factor: 1.25, ", ""), at + "26: claims[0]: 'factor' is missing; say within which factor"},
      {with("factor: 1.25", "factor: 0.5"),
       at + "26: claims[0].factor: is below 1; write 2 for 'between half and twice'"},
      {with("seed: 9007199254740992", "seed: -1"),
       at + "31: seed: '-1' is not a whole number from 0 to 9007199254740992; write one"},
      {with("time_limit: 30", "time_limit: 0"),
       at + "32: time_limit: '0' is not a whole number from 1 to 10000000; write one"},
      {with("time_limit: 30", "time_limit:"), at + "32: time_limit: '...' is not a whole number"},
      {with("traces: true", "traces: 1"), at + "33: traces: is neither true nor false; write one"},
      {with("traffic: 10 ms", "traffic: 10"),
       at + "34: traffic: '10' is not a valid traffic value; give off, on, messages, or a period as 10 ms"},
      {with("traffic: 10 ms", "traffic: 0 s"),
       at + "34: traffic: '0 s' is not a valid traffic value; give off, on, messages, or a period as 10 ms"},
      {"schema: [", at + "1: malformed YAML"},
      {"", "a scenario.yaml: is not a YAML mapping; begin with `schema: ...`"},
  };
  for (const Case& c : cases) {
    const std::string message = error(c.text);
    EXPECT_EQ(message.substr(0, c.message.size()), c.message);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  EXPECT_EQ(error(kWhole), "");
}

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

constexpr const char* kPlacing = R"(schema: strata.scenario/1
name: placing
title: What places ranks, cases and a reference
machine: mine
program: nbc
mapping: {map_by: spread}
sweep:
  ranks: [2, 62]
  library:
    ours: {steps: auto, progress: numa}
    bound: {progress: bind, steps: 0}
metric: {name: time, unit: s}
reference: {ranks: all, arguments: [--steps, blocking], metric: effort, option: work}
)";

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

// Wherever it is cut, a scenario loads or is refused with its name.
TEST_F(ScenarioFile, CutAnywhere) {
  const std::string whole = kWhole;
  for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
    const std::string message = error(whole.substr(0, bytes));
    EXPECT_TRUE(message.empty() || message.rfind("a scenario.yaml:", 0) == 0) << bytes << message;
  }
}

TEST_F(ScenarioFile, NotThere) {
  try {
    load_scenario(folder_ / "none.yaml");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()),
              (folder_ / "none.yaml").string() + ": No such file or directory; give a YAML file that can be read");
  }
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

TEST_F(ScenarioFile, Settings) {
  const Scenario s = load(kWhole, {"elements=1,2e3,0.25", "algorithm=linear", "machine=other", "program=./p/x.so",
                                   "ranks=all", "map_by=node", "bind_to=none", "oversubscribe=false", "seed=0",
                                   "time_limit=5", "traces=false", "traffic=messages", "folder=here"});
  EXPECT_EQ(s.study.sweep[1].values, (std::vector<Json>{1, 2000, 0.25}));
  EXPECT_EQ(s.study.sweep[0].values, std::vector<Json>{"linear"});
  EXPECT_EQ(s.machine, "other") << "as it was typed: relative to the working directory";
  EXPECT_EQ(s.program, "./p/x.so");
  EXPECT_EQ(s.study.program, "./p/x.so");
  EXPECT_EQ(s.study.ranks, 0);
  EXPECT_EQ(s.mapping.map_by.name(), "node");
  EXPECT_EQ(s.mapping.bind_to.name(), "none");
  EXPECT_FALSE(s.mapping.oversubscribe);
  EXPECT_EQ(s.seed, 0u);
  EXPECT_EQ(s.time_limit_s, 5);
  EXPECT_FALSE(s.study.traces);
  EXPECT_EQ(s.study.traffic, "messages");
  EXPECT_EQ(s.folder, "here");
  EXPECT_EQ(s.study.folder, "here");
  // Everything that refers to the removed values is dropped: the gain, its plot, and the claim on it.
  EXPECT_TRUE(s.study.derived.empty());
  ASSERT_EQ(s.study.plots.size(), 2u);
  EXPECT_EQ(s.study.plots[0].name, "p2");
  EXPECT_EQ(s.study.plots[1].name, "p3");
  ASSERT_EQ(s.study.claims.size(), 2u);
  EXPECT_EQ(s.study.claims[0].id, "c2");
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

TEST_F(ScenarioFile, WhatIfs) {
  const std::string text = with("program: ./prog.so",
                                "what_if:\n"
                                "  - {figure: System - Cluster.latency, times: 0.25, source: \"assumed: a\"}\n"
                                "  - {figure: eager_limit, value: 8, unit: KiB, source: \"published: b\"}\n"
                                "program: ./prog.so");
  EXPECT_TRUE(load(kWhole).what_ifs.empty());
  Scenario s = load(text);
  ASSERT_EQ(s.what_ifs.size(), 2u);
  EXPECT_EQ(s.what_ifs[0].figure, "System - Cluster.latency");
  EXPECT_EQ(s.what_ifs[0].value, 0.25);
  EXPECT_EQ(s.what_ifs[0].unit, "");
  EXPECT_EQ(s.what_ifs[0].source, "assumed: a");
  EXPECT_EQ(s.what_ifs[0].where, file_.string() + ":7: what_if[0]");
  EXPECT_EQ(s.what_ifs[1].figure, "eager_limit");
  EXPECT_EQ(s.what_ifs[1].value, 8);
  EXPECT_EQ(s.what_ifs[1].unit, "KiB");
  // A setting replaces the file's value of its figure; another setting adds a figure.
  s = load(text, {"what_if.eager_limit=2.5 KiB", "what_if.core.speed=2x"});
  ASSERT_EQ(s.what_ifs.size(), 3u);
  EXPECT_EQ(s.what_ifs[0].value, 0.25);
  EXPECT_EQ(s.what_ifs[1].value, 2.5);
  EXPECT_EQ(s.what_ifs[1].unit, "KiB");
  EXPECT_EQ(s.what_ifs[1].where, "--set what_if.eager_limit=2.5 KiB");
  EXPECT_EQ(s.what_ifs[1].source, "assumed: given on the command line");
  EXPECT_EQ(s.what_ifs[2].figure, "core.speed");
  EXPECT_EQ(s.what_ifs[2].value, 2);
  EXPECT_EQ(s.what_ifs[2].unit, "");
}

TEST_F(ScenarioFile, WhatIfsAtFault) {
  const auto fault = [&](const std::string& item) {
    return error(with("program: ./prog.so", "what_if:\n  - {" + item + "}\nprogram: ./prog.so"));
  };
  EXPECT_EQ(fault("figure: eager_limit, times: 2, value: 3, source: measured"),
            "a scenario.yaml:7: what_if[0].value: does not go with `times`; leave one out");
  EXPECT_EQ(fault("figure: eager_limit, times: 2"),
            "a scenario.yaml:7: what_if[0]: 'source' is missing; say where it comes from: `measured`, `published: "
            "<where>` or "
            "`assumed: <why>`");
  EXPECT_EQ(fault("figure: eager_limit, value: 2, source: measured"),
            "a scenario.yaml:7: what_if[0]: 'unit' is missing; give the unit of `value`, or `times` for a factor");
  EXPECT_EQ(fault("figure: eager_limit, times: 2, source: hearsay"),
            "a scenario.yaml:7: what_if[0].source: 'hearsay' names no source; begin with `measured`, `published: "
            "<where>` or `assumed: <why>`");
}

TEST_F(ScenarioFile, SettingsThatReplaceEachOther) {
  EXPECT_EQ(load(kWhole, {"bindings=b.txt"}).bindings, "b.txt");
  EXPECT_EQ(load(kWhole, {"bindings=b.txt", "map_by=node"}).bindings, "");
  EXPECT_EQ(load(kWhole, {"bindings=b.txt", "bind_to=node"}).bindings, "");
  const std::string xml = with("machine: ../machines/mine.yaml", "machine: {xml: x.xml, nodes: 2}");
  EXPECT_EQ(load(xml, {"machine=ntw10e5"}).xml, "");
  EXPECT_EQ(load(kWhole, {"seed=2", "seed=3"}).seed, 3u) << "the last one is meant";
  // The claim stays if its condition still matches a point, and is dropped otherwise.
  EXPECT_EQ(load(kWhole, {"elements=1,2"}).study.claims.size(), 3u);
  EXPECT_EQ(load(kWhole, {"elements=2"}).study.claims.size(), 2u);
}

TEST_F(ScenarioFile, SettingsAtFault) {
  struct Case {
    std::string setting, message;
  };
  const std::vector<Case> cases = {
      {"elements", "is not key=value; write for example --set elements=1,1000"},
      {"elements=", "is not key=value; write for example --set elements=1,1000"},
      {"=1",
       "unknown key ''; known are the axes (algorithm, elements, variant) and machine, what_if.FIGURE, program, "
       "folder, ranks, map_by, bind_to, oversubscribe, bindings, progress, allocation, shim, traces, traffic, "
       "engine, seed, time_limit"},
      {"what_if.eager_limit=", "is not key=value; write for example --set elements=1,1000"},
      {"what_if.eager_limit=8", "'8' is not a figure; write a number with its unit, as 0.4us, or a factor, as 0.25x"},
      {"what_if.eager_limit=xKiB", "'xKiB' is not a figure; write a number with its unit"},
      {"what_if.eager_limit=infx", "'infx' is not a figure; write a number with its unit"},
      {"speed=1", "unknown key 'speed'; known are the axes"},
      {"elements=1,,2", "has an empty value; separate values by one comma, as 1,10,100"},
      {"elements=1, ,2", "has an empty value; separate values by one comma"},
      {"algorithm=a\tb", "value \"a\\tb\" has a control character; leave it out"},
      {"elements=1,1.0", "duplicate value 1.0; keep one"},
      {"ranks=0", "'0' is not a whole number from 1 to 100000000; write one"},
      {"ranks=99999999999", "'99999999999' is not a whole number from 1 to 100000000; write one"},
      {"ranks=many", "'many' is not a whole number"},
      {"oversubscribe=yes", "is neither true nor false; write one"},
      {"seed=-1", "'-1' is not a whole number from 0 to 9007199254740992; write one"},
      {"map_by=socket", "'socket' is not a valid map_by value; give node, numa, package, group, l3, l2, core, spread"},
      {"traffic=much", "'much' is not a valid traffic value; give off, on, messages, or a period as 10 ms"},
      {"time_limit=0.5", "'0.5' is not a whole number from 1 to 10000000; write one"},
  };
  for (const Case& c : cases) {
    const std::string message = error(kWhole, {c.setting}), expected = "--set " + c.setting + ": " + c.message;
    EXPECT_EQ(message.substr(0, expected.size()), expected);
  }
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

TEST_F(ScenarioFile, SettingsAreUtf8) {
  EXPECT_EQ(error(kWhole, {"algorithm=\xE9"}), "--set: has a byte that is not UTF-8; give the setting as UTF-8");
  EXPECT_EQ(load(kWhole, {"algorithm=\xC3\xA9"}).study.sweep[0].values, std::vector<Json>{"\xC3\xA9"});
}

// nan and inf are read as texts, because a record cannot contain them as numbers.
TEST_F(ScenarioFile, NumbersAreFinite) {
  const Scenario s = load(kWhole, {"elements=nan,inf,-inf,1e999"});
  for (const Json& value : s.study.sweep[1].values) EXPECT_TRUE(value.is_string()) << value;
}

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
