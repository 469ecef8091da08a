// SPDX-License-Identifier: LGPL-2.1-only
// The max-rate model compared with the simulation: the catalog's program pairs, with times also computed by hand, and
// halo exchanges.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

using ::testing::HasSubstr;

using Pairs = UnitMachine;

// Node 0 sends k messages over its link of 1 GB/s: k (n + 16) ns after the overhead of 1 us, which is the whole
// latency.
TEST_F(Pairs, ShareTheNodesLink) {
  auto values = run("pairs", 8, "pairs: [1, 2, 3, 4], bytes: [0, 984, 99984]",
                    "also: [{name: rate, unit: MB/s}]\nmodels: {max-rate: 0.000001}\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  for (int k = 1; k <= 4; ++k) {
    for (const int bytes : {0, 984, 99984}) {
      const std::string point = std::to_string(k) + " " + std::to_string(bytes);
      const double expected = (1000 + k * (bytes + 16.0)) * kNs;
      EXPECT_NEAR(values["time"][point], expected, kTolerance) << point;
      EXPECT_NEAR(values["rate"][point], k * bytes / expected / 1e6, 1e-6) << point;
    }
  }
  EXPECT_THAT(ran_.out, HasSubstr("max-rate: 12 points within 0.0001 %, 0 outside the model, 0 disagree"));
}

// Any mapping: here ranks alternate between the nodes.
TEST_F(Pairs, AreOfTwoNodesWhateverTheMapping) {
  auto values = run("pairs", 6, "pairs: [3], bytes: [984]", "mapping: {map_by: node}\nmodels: {max-rate: 0.000001}\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  EXPECT_NEAR(values["time"]["3 984"], 4000 * kNs, kTolerance);
  EXPECT_THAT(ran_.out, HasSubstr("max-rate: 1 points within 0.0001 %, 0 outside the model, 0 disagree"));
}

TEST_F(Pairs, RefusesMoreThanThereAre) {
  run("pairs", 6, "pairs: [3], bytes: [8]");  // four ranks on node 0, two on node 1
  EXPECT_EQ(ran_.code, 2);
  EXPECT_THAT(ran_.err, HasSubstr("--pairs: 3 pairs, but the node of rank 0 has 4 ranks and the next 2"));
  EXPECT_EQ(lines_of(ran_.err).size(), 1u) << ran_.err;
  run("pairs", 4, "pairs: [1], bytes: [8]");  // one node
  EXPECT_EQ(ran_.code, 2);
  EXPECT_THAT(ran_.err, HasSubstr("--pairs: 1 pairs, but the node of rank 0 has 4 ranks and the next 0"));
}

using Halo = UnitMachine;

// Messages of 800,016 B on the wire occupy a link for 800 us. In a 2x4 mesh in row order, each of a node's four
// processes sends one message to the other node: 3.2 ms on the node's link. The sends of a core and the links between
// L3s carry three messages at most.
TEST_F(Halo, OfLongMessagesIsTheModelsWhereTheNodesLinkIsTheBusiest) {
  auto values = run("ncartperf", 8, "comm: [world, cart], n: [100000]",
                    "arguments: [--dims, 2x4, --sweeps, 4]\nmodels: {max-rate: 0.002}\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  for (const char* comm : {"world 100000", "cart 100000"}) {
    EXPECT_NEAR(values["time"][comm], 4 * 800016 * kNs, 0.002 * 4 * 800016 * kNs);
  }
  EXPECT_THAT(ran_.out, HasSubstr("max-rate: 2 points within 0.2 %, 0 outside the model, 0 disagree"));
}

// Blocks of 2x2: two messages leave a node, but a core at the border sends three, which take 2.4 ms. The model does not
// hold.
TEST_F(Halo, IsOutsideTheModelWhereACoreHasMoreToSend) {
  auto values = run("ncartperf", 8, "comm: [nodecart], n: [100000]",
                    "arguments: [--dims, 2x4, --sweeps, 4]\nmodels: {max-rate: 0.002}\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  EXPECT_NEAR(values["time"]["nodecart 100000"], 3 * 800016 * kNs, 0.002 * 3 * 800016 * kNs);
  EXPECT_THAT(ran_.out, HasSubstr("max-rate: 0 points within 0.2 %, 1 outside the model"));
}

}  // namespace
}  // namespace strata
