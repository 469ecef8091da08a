// SPDX-License-Identifier: LGPL-2.1-only
// A one-line error for every fault of a scenario file: the place, what is wrong, and what would be right.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "scenarios/scenario.h"
#include "tests/scenarios/scenario_file.h"

namespace strata {
namespace {

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
      {with("error_bars: true", "error_bars: 95 %"), at + "35: error_bars: is neither true nor false; write one"},
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

}  // namespace
}  // namespace strata
