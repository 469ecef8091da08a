// SPDX-License-Identifier: LGPL-2.1-only
// The catalog's vector processing: its time compared with sums made by hand. The program itself checks the result, and
// fails if it is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

using Vectors = UnitMachine;

// Three levels of pairs: each level has a message of 4 N bytes, and then two combinations of as many bytes. The
// hierarchy of the machine is the same. In one group of eight, eager messages share the root's link and others come one
// after another; then there are eight combinations.
TEST_F(Vectors, AreAsComputedByHand) {
  auto values = run("vectors", 8, "hierarchy: [topo, 2x2x2, 8], elements: [1, 100, 1000]");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  const std::map<std::string, double>& time = values["time"];
  for (const int n : {1, 100, 1000}) {
    const std::string elements = " " + std::to_string(n);
    const double message = 1000 + 4 * n + 16, combination = 4 * n;
    EXPECT_NEAR(time.at("2x2x2" + elements), 3 * (message + 2 * combination) * kNs, kTolerance) << n;
    EXPECT_NEAR(time.at("topo" + elements), 3 * (message + 2 * combination) * kNs, kTolerance) << n;
    EXPECT_NEAR(time.at("8" + elements), (1000 + 7 * (4 * n + 16) + 8 * combination) * kNs, kTolerance) << n;
  }
}

TEST_F(Vectors, AreRightOnHierarchiesOfAllKinds) {
  run("vectors", 6, "hierarchy: [topo, 6, 2x3, 3x2, 1x6x1, 3x1x2], elements: [0, 1, 7]");
  EXPECT_EQ(ran_.code, 0) << ran_.err;
  run("vectors", 1, "hierarchy: [topo, 1, 1x1], elements: [3]");
  EXPECT_EQ(ran_.code, 0) << ran_.err;
  run("vectors", 8, "hierarchy: [topo], elements: [100000000]");  // 3 GB: too large for the program to check
  EXPECT_EQ(ran_.code, 0) << ran_.err;
}

TEST_F(Vectors, RefuseHierarchiesThatAreNone) {
  const std::map<std::string, std::string> cases = {
      {"conf", "--hierarchy: 'conf' is neither topo nor numbers as 3x4x2x3x8"},
      {"2x", "--hierarchy: '2x' is neither topo"},
      {"2xx4", "--hierarchy: '2xx4' is neither topo"},
      {"2x-4", "--hierarchy: '2x-4' is neither topo"},
      {"2x3", "--hierarchy: the product of 2x3 is not the number of ranks, 8"}};
  for (const auto& [hierarchy, message] : cases) {
    run("vectors", 8, "hierarchy: [" + hierarchy + "]");
    EXPECT_EQ(ran_.code, 2) << hierarchy;
    EXPECT_THAT(ran_.err, ::testing::HasSubstr(message));
    EXPECT_EQ(lines_of(ran_.err).size(), 1u) << ran_.err;
  }
  run("vectors", 8, "hierarchy: [topo]", "mapping: {bind_to: l3}\n");
  EXPECT_EQ(ran_.code, 2);
  EXPECT_THAT(ran_.err,
              ::testing::HasSubstr("a rank shares its innermost communicator; bind each rank to a core of its own"));
}

}  // namespace
}  // namespace strata
