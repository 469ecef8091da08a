// SPDX-License-Identifier: LGPL-2.1-only
// The catalog's matrix multiplication: the parts of its time compared with a schedule made by hand. The program itself
// checks the product, and fails if it is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

using Summa = UnitMachine;

// Four processes with blocks of 8 x 8: messages of 528 ns after 1 us, and 1.024 us of arithmetic per step. A broadcast
// between two processes is one message, first in rows, then in columns. Times in us:
//   step 1   0 -> 1 and 2 -> 3 arrive at 1.528; then 0 -> 2 arrives at 2.528, and 1 -> 3, sent at 1.528, at 3.056
//            done 2, 2.528, 2.528, 3.056; computed 3.024, 3.552, 3.552, 4.080
//   step 2   1 -> 0 arrives at 5.080, 3 -> 2 at 5.608; then 3 -> 1, sent at 5.080, at 6.608, and 2 -> 0, sent at 5.608,
//            at 7.136
//            done 7.136, 6.608, 6.608, 6.080
// The communication time is the mean of the last line, minus 1.024 us for the arithmetic of the first step.
TEST_F(Summa, OfFourProcessesIsAsComputedByHand) {
  auto values = run("summa", 4, "variant: [simple], block: [8]",
                    "also: [{name: computing, unit: s}, {name: communicating, unit: s}]\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  EXPECT_NEAR(values["computing"]["simple 8"], 2048 * kNs, kTolerance);
  EXPECT_NEAR(values["communicating"]["simple 8"], (7136 + 6608 + 6608 + 6080) / 4.0 * kNs - 1024 * kNs, kTolerance);
  EXPECT_EQ(values["time"]["simple 8"], values["computing"]["simple 8"] + values["communicating"]["simple 8"]);
}

// 2 n^3 flop in each step, with a step for each column of the grid, in all variants: 2 x 4, 2 x 3 and 1 x 5 processes.
TEST_F(Summa, ComputesTheSameInAllVariantsAndIsRight) {
  const std::string also = "also: [{name: computing, unit: s}, {name: communicating, unit: s}]\n";
  const auto expect = [&](const std::map<std::string, double>& computing, size_t points, int steps) {
    ASSERT_EQ(ran_.code, 0) << ran_.err;
    EXPECT_EQ(computing.size(), points);
    for (const auto& [point, seconds] : computing) {
      const int n = std::stoi(point.substr(point.find(' ')));
      EXPECT_NEAR(seconds, steps * 2.0 * n * n * n * kNs, kTolerance) << point;
    }
  };
  expect(run("summa", 8, "variant: [simple, 1x2-groups, 2x1-groups, 2x4-groups, topological], block: [1, 5, 8]",
             also)["computing"],
         15, 4);
  expect(run("summa", 6, "variant: [simple, 2x3-groups, topological], block: [3]", also)["computing"], 3, 3);
  expect(run("summa", 5, "variant: [simple, 1x5-groups, topological], block: [3]", also)["computing"], 3, 5);
  expect(run("summa", 1, "variant: [simple, 1x1-groups, topological], block: [3]", also)["computing"], 3, 1);
}

TEST_F(Summa, WhoseProductNobodyLooksAtTakesAsLongPerByte) {
  auto values = run("summa", 4, "variant: [simple], block: [500]", "also: [{name: computing, unit: s}]\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  EXPECT_NEAR(values["computing"]["simple 500"], 2 * 2.0 * 500 * 500 * 500 * kNs, 1e-9);
}

TEST_F(Summa, RefusesGroupsThatAreNone) {
  const std::map<std::string, std::string> cases = {
      {"telepathy", "--variant: 'telepathy' is none of simple, topological, IxJ-groups (as 3x4-groups)"},
      {"2-groups", "--variant: '2-groups' is none of simple, topological, IxJ-groups (as 3x4-groups)"},
      {"0x2-groups", "--variant: '0x2-groups' is none of simple"},
      {"2x2x1-groups", "--variant: '2x2x1-groups' is none of simple"},
      {"-groups", "--variant: '-groups' is none of simple"},
      {"2x3-groups", "--variant: 2x3-groups do not divide the grid of 2x4 processes"}};
  for (const auto& [variant, message] : cases) {
    run("summa", 8, "variant: [" + variant + "]");
    EXPECT_EQ(ran_.code, 2) << variant;
    EXPECT_THAT(ran_.err, ::testing::HasSubstr(message));
    EXPECT_EQ(lines_of(ran_.err).size(), 1u) << ran_.err;
  }
}

}  // namespace
}  // namespace strata
