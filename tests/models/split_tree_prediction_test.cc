// SPDX-License-Identifier: LGPL-2.1-only
// The split-tree model of the program nbc: its times in s, and the cases in which one of its assumptions does not hold.
#include "models/split_tree_prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "platforms/progress_placement.h"
#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr double kNegligible = 1e-3;
constexpr TestCosts kIdeal = {.latency_us = 1e-6, .overhead_us = 1e-7, .bandwidth_gbs = 1e6, .link_gbs = 1e9};
constexpr double kMessage_s = 2e-3;  // 2 MB are copied and combined at 2 GB/s

struct Setting {
  Machine machine;
  std::vector<Binding> ranks, threads;
};

Setting setting(int ranks, const std::string& policy = "numa", const std::string& line = "pack:1 core:64 pu:1",
                const TestCosts& costs = kIdeal) {
  Setting s{.machine = uniform_machine(line, costs), .ranks = {}, .threads = {}};
  PlacementOptions spread;
  spread.map_by = "spread";
  s.ranks = place(*s.machine.topology, ranks, spread);
  if (!policy.empty()) s.threads = place_progress(*s.machine.topology, s.ranks, policy);
  return s;
}

NbcPoint point(const char* collective, int steps, double computation_s = 0) {
  return {.collective = *find_tree_collective(collective),
          .bytes = Bytes(2e6),
          .steps = steps,
          .blocking = false,
          .arity = 2,
          .root = 0,
          .over_nodes = false,
          .computation = Seconds(computation_s)};
}

Prediction predict(const Setting& s, const NbcPoint& p) {
  return predict_split_tree(s.machine, s.ranks, s.threads, p, kNegligible);
}

TEST(SplitTreePrediction, OfTheWorkedExample) {
  const double computation_s = 6 * 64 / 62.0 * kMessage_s;
  const Prediction p = predict(setting(62), point("ireduce", 3, computation_s));
  EXPECT_EQ(p.outside, "");
  EXPECT_NEAR(p.time.value, 3 * kMessage_s + computation_s, 1e-15);
  NbcPoint best = point("ireduce", 0, computation_s);
  best.steps.reset();
  EXPECT_EQ(predict(setting(62), best).time, p.time);
  NbcPoint blocking = best;
  blocking.blocking = true;
  const Prediction in_turn = predict(setting(62), blocking);
  EXPECT_EQ(in_turn.outside, "");
  EXPECT_NEAR(in_turn.time.value, 6 * kMessage_s + computation_s, 1e-15);
  EXPECT_NEAR(predict(setting(62, ""), best).time.value, in_turn.time.value, 1e-15);  // no threads
}

// An allreduce combines only on the way up: 6 messages of 2 ms, then 6 of 1 ms.
TEST(SplitTreePrediction, OfAnAllreduce) {
  NbcPoint what = point("iallreduce", 0, 1);
  what.blocking = true;
  EXPECT_NEAR(predict(setting(64, ""), what).time.value, 1 + 6 * 3e-3, 1e-12);
}

// 57 ranks with 7 communication cores: 10 messages by the model, 13 with this placement.
TEST(SplitTreePrediction, SaysWhatImbalanceCosts) {
  const Prediction p = predict(setting(57), point("ireduce", 0));
  EXPECT_NEAR(p.time.value, 10 * kMessage_s, 1e-15);
  EXPECT_THAT(p.outside, StartsWith("imbalance: of 28 messages of level 1 core "));
  EXPECT_THAT(p.outside, HasSubstr(" of node 0 copies 5, if even 4; as placed all takes 13 messages, by the model 10"));
  EXPECT_EQ(predict(setting(57), point("ireduce", 0, 1)).outside, "");  // hidden by the computation
  const Prediction bcast = predict(setting(62), point("ibcast", 0));
  EXPECT_NEAR(bcast.time.value, 32 * 1e-3, 1e-15);
  EXPECT_THAT(
      bcast.outside,
      StartsWith("levels: the busiest core is another one on each; as placed all takes 31 messages, by the model 32"));
}

TEST(SplitTreePrediction, SaysWhatEquation8LeavesOut) {
  EXPECT_THAT(predict(setting(62), point("igather", 6)).outside,
              StartsWith("blocks: Eq. 8 counts a whole last subtree"));
}

// Threads on the cores of their ranks cannot overlap: the blocking time comes after the computation.
TEST(SplitTreePrediction, BoundThreads) {
  const Prediction p = predict(setting(64, "bind"), point("ireduce", 0, 1));
  EXPECT_NEAR(p.time.value, 1 + 6 * kMessage_s, 1e-12);
  EXPECT_EQ(p.outside, "");
  // One of the two NUMA nodes is full, so its threads run on the cores of their ranks.
  const Setting half = setting(63, "numa", "pack:1 numa:2 core:32 pu:1");
  EXPECT_THAT(predict(half, point("ireduce", 0)).outside, StartsWith("32 of 63 threads share their cores"));
}

TEST(SplitTreePrediction, SaysWhichProtocolIsAnother) {
  Setting s = setting(62);
  NbcPoint what = point("ireduce", 3);
  what.bytes = Bytes(999);
  EXPECT_THAT(predict(s, what).outside, StartsWith("eager: messages of 999 B, shorter than 1000 B"));
  s.machine.stated_copies = Figure{.value = 2, .unit = "copies", .source = "assumed: by a test", .si = 2};
  EXPECT_THAT(predict(s, point("ireduce", 3)).outside, StartsWith("copies: 2"));
}

// 1 us of latency is within the tolerance of a message of 2 ms, 8 us are not. 1 GB/s is half of the copy bandwidth of a
// core.
TEST(SplitTreePrediction, SaysWhatTheNetworkTakes) {
  TestCosts costs = kIdeal;
  const auto outside = [&] {
    return predict(setting(62, "numa", "pack:1 core:64 pu:1", costs), point("ireduce", 3)).outside;
  };
  costs.latency_us = 1;
  EXPECT_EQ(outside(), "");
  costs.latency_us = 8;
  EXPECT_EQ(outside(), "latency and bandwidth: a message of level 1 takes 8 us beyond the 1 ms that its copy takes");
  // Both are reported, the placement first.
  EXPECT_THAT(
      predict(setting(57, "numa", "pack:1 core:64 pu:1", costs), point("ireduce", 0)).outside,
      AllOf(StartsWith("imbalance: of 28 messages"), HasSubstr("; latency and bandwidth: a message of level 1")));
  costs.latency_us = 1;
  costs.bandwidth_gbs = 1;
  EXPECT_EQ(outside(),
            "latency and bandwidth: a message of level 1 takes 1.002 ms beyond the 1 ms that its copy takes");
  costs = kIdeal;
  costs.link_gbs = 1;
  EXPECT_EQ(outside(),
            "links: the messages of level 1 keep the down link of core 0 of node 0 busy for 2 ms, the busiest "
            "core's copies take 1 ms");
}

// Ten nodes of 24 cores with 20 ranks each, and a tree over nodes: the tree of a node and 4 levels of leaders.
TEST(SplitTreePrediction, OfTreesOverNodes) {
  const Setting s = setting(200, "numa", "node:10 pack:1 core:24 pu:1");
  NbcPoint what = point("ireduce", 0, 1);
  EXPECT_THAT(predict(s, what).outside, StartsWith("one tree over 10 nodes: "));
  what.over_nodes = true;
  const Prediction p = predict(s, what);
  EXPECT_EQ(p.outside, "");
  EXPECT_NEAR(p.time.value, 1, 1e-9);
  what.computation = Seconds(0);
  // 3 + 2 + 1 + 1 + 1 copies in a node, then combinations of 1 ms between nodes; the network takes almost no time.
  EXPECT_NEAR(predict(s, what).time.value, 8 * kMessage_s + 4 * 1e-3, 1e-4);
  EXPECT_THAT(predict(setting(201, "numa", "node:10 pack:1 core:24 pu:1"), what).outside,
              StartsWith("unequal nodes: 21 ranks"));
}

TEST(SplitTreePrediction, RefusesARootThatIsNoRank) {
  NbcPoint what = point("ireduce", 0);
  what.root = 62;
  EXPECT_THROW(predict(setting(62), what), std::invalid_argument);
}

}  // namespace
}  // namespace strata::models
