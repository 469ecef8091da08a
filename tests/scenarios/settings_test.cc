// SPDX-License-Identifier: LGPL-2.1-only
// Settings on the command line: --set KEY=VALUE.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenarios/scenario.h"
#include "tests/scenarios/scenario_file.h"

namespace strata {
namespace {

TEST_F(ScenarioFile, Settings) {
  const Scenario s =
      load(kWhole, {"elements=1,2e3,0.25", "algorithm=linear", "machine=other", "program=./p/x.so", "ranks=all",
                    "map_by=node", "bind_to=none", "oversubscribe=false", "seed=0", "time_limit=5", "traces=false",
                    "traffic=messages", "error_bars=false", "folder=here"});
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
  EXPECT_FALSE(s.study.error_bars);
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
       "folder, ranks, map_by, bind_to, oversubscribe, bindings, progress, allocation, shim, mpi, mpi_rules, traces, "
       "traffic, engine, error_bars, seed, time_limit"},
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

TEST_F(ScenarioFile, SettingsAreUtf8) {
  EXPECT_EQ(error(kWhole, {"algorithm=\xE9"}), "--set: has a byte that is not UTF-8; give the setting as UTF-8");
  EXPECT_EQ(load(kWhole, {"algorithm=\xC3\xA9"}).study.sweep[0].values, std::vector<Json>{"\xC3\xA9"});
}

// nan and inf are read as texts, because a record cannot contain them as numbers.
TEST_F(ScenarioFile, NumbersAreFinite) {
  const Scenario s = load(kWhole, {"elements=nan,inf,-inf,1e999"});
  for (const Json& value : s.study.sweep[1].values) EXPECT_TRUE(value.is_string()) << value;
}

}  // namespace
}  // namespace strata
