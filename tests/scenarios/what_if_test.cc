// SPDX-License-Identifier: LGPL-2.1-only
// What-ifs: other figures of the machine.
#include <gtest/gtest.h>

#include <string>

#include "scenarios/scenario.h"
#include "tests/scenarios/scenario_file.h"

namespace strata {
namespace {

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

}  // namespace
}  // namespace strata
