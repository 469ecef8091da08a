// SPDX-License-Identifier: LGPL-2.1-only
// The nodes of a job, and the places of its ranks on them: compared with the coordinates of their routers, and with
// place() on a machine that has only the job's nodes.
#include "platforms/allocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "platforms/fabric.h"
#include "tests/error_of.h"
#include "tests/platforms/fabric_machines.h"

namespace strata {
namespace {

Machine described(const std::string& yaml) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "allocation.yaml";
  std::ofstream(file) << yaml;
  return load_machine(file);
}

std::vector<int> nodes(const Machine& m, const std::string& text, int np = 0) {
  return nodes_of_job(m, parse_allocation(text, "here"), np, false, "here");
}

std::string error(const Machine& m, const std::string& text, int np = 0) {
  return error_of([&] { place_job(m, text, np, {}, "here"); });
}

// The torus has 4 x 3 x 2 routers of two nodes each, so a node's coordinates follow by division.
TEST(Allocation, ABoxIsItsRoutersNodes) {
  const Machine m = described(kTorusYaml);
  for (int x = 1; x <= 4; ++x) {
    for (int y = 1; y <= 3; ++y) {
      for (int z = 1; z <= 2; ++z) {
        const std::string text = std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
        std::vector<int> expected;
        for (int node = 0; node < 48; ++node) {
          if (node / 12 < x && node / 4 % 3 < y && node / 2 % 2 < z) expected.push_back(node);
        }
        EXPECT_EQ(static_cast<int>(expected.size()), 2 * x * y * z);
        EXPECT_EQ(nodes(m, text), expected) << text;
      }
    }
  }
}

// The last dimension of a torus is numbered first: with 8x8x8 routers of two nodes, the first 256 nodes are a slab of
// 2x8x8, and the first 64 one of 1x4x8.
TEST(Allocation, TheFirstNodesOfATorusAreASlab) {
  const std::string wide =
      with(with(kTorusYaml, "dims: [4, 3, 2]", "dims: [8, 8, 8]"), "[true, true, false]", "[false, false, false]");
  const Machine m = described(wide);
  for (const auto& [count, box] : {std::pair{64, "1x4x8"}, {256, "2x8x8"}, {128, "1x8x8"}, {1024, "8x8x8"}}) {
    std::vector<int> first(count);
    for (int i = 0; i < count; ++i) first[i] = i;
    EXPECT_EQ(nodes(m, box), first) << box;
    EXPECT_EQ(place_job(m, "first", 4 * count, {}, "here").back().node, count - 1);
  }
}

TEST(Allocation, FirstIsEveryNodeAndPlacesAsWithout) {
  const Machine m = described(kTorusYaml);
  EXPECT_EQ(nodes(m, "first").size(), 48u);
  EXPECT_EQ(nodes(m, "").size(), 48u);
  for (const char* policy : {"core", "node", "spread", "block-cyclic", "random"}) {
    const PlacementOptions options{.map_by = std::string(policy), .seed = 5};
    EXPECT_EQ(format_bindings(place_job(m, "", 77, options, "here")), format_bindings(place(*m.topology, 77, options)));
  }
}

// Ranks have the same places as on a machine that consists of the job's nodes.
TEST(Allocation, RanksAreDealtOverTheJobsNodesAlone) {
  const Machine m = described(kTorusYaml);
  const auto alone = flat_cluster(import_node_synthetic("[numa] core:4 pu:1"), 8);
  for (const char* text : {"2x2x1", "random:3"}) {
    for (const char* policy : {"core", "node", "spread", "block-cyclic", "random"}) {
      const PlacementOptions options{.map_by = std::string(policy), .seed = 5};
      const std::vector<Binding> ranks = place_job(m, text, 30, options, "here"), there = place(*alone, 30, options);
      const std::vector<int> job = nodes(m, text, 30);
      ASSERT_EQ(job.size(), 8u);
      ASSERT_TRUE(std::is_sorted(job.begin(), job.end()));
      ASSERT_EQ(ranks.size(), 30u);
      for (int r = 0; r < 30; ++r) {
        EXPECT_EQ(ranks[r].node, job[there[r].node]);
        EXPECT_EQ(ranks[r].cpuset.list(), there[r].cpuset.list());
        EXPECT_EQ(m.topology->node(ranks[r].core), ranks[r].node);
        EXPECT_EQ(m.topology->object(ranks[r].core)->cpuset.list(), alone->object(there[r].core)->cpuset.list());
      }
    }
  }
  EXPECT_EQ(place_job(m, "2x2x1", 0, {}, "here").size(), 32u) << "one for each core of the job's nodes";
}

// All nodes are drawn equally often, different seeds draw different nodes, and there are as many nodes as the ranks
// need.
TEST(Allocation, ScatteredNodesAreDrawnAlike) {
  const Machine m = described(kTorusYaml);
  std::map<int, int> drawn;
  std::set<std::vector<int>> different;
  constexpr int kSeeds = 2000;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const std::string text = "random:" + std::to_string(seed);
    const std::vector<int> job = nodes(m, text, 22);
    ASSERT_EQ(job.size(), 6u);
    ASSERT_EQ(std::set(job.begin(), job.end()).size(), 6u);
    EXPECT_EQ(nodes(m, text, 24), job);
    EXPECT_EQ(nodes(m, text, 25).size(), 7u);
    different.insert(job);
    for (const int node : job) ++drawn[node];
  }
  EXPECT_GT(different.size(), 1990u);
  EXPECT_EQ(drawn.size(), 48u);
  const double expected = kSeeds * 6 / 48.0;  // 250 each; the standard deviation is 15
  for (const auto& [node, times] : drawn) EXPECT_NEAR(times, expected, 5 * std::sqrt(expected)) << node;
  EXPECT_EQ(nodes(m, "random:1").size(), 48u);
}

// With the same seed, more ranks get the nodes of fewer ranks and additional ones.
TEST(Allocation, MoreRanksKeepTheNodes) {
  const Machine m = described(kTorusYaml);
  const std::vector<int> few = nodes(m, "random:9", 16), many = nodes(m, "random:9", 90);
  EXPECT_TRUE(std::includes(many.begin(), many.end(), few.begin(), few.end()));
}

TEST(Allocation, Errors) {
  const Machine torus = described(kTorusYaml), dragonfly = described(kDragonflyYaml);
  const std::string remedy = " is not an allocation; give first, a box of routers as 2x2x8, or random:SEED as random:1";
  for (const char* text : {"last", "2x", "x2", "2x2x", "0x1x1", "2x-1x1", "2X2", "2x2x2 ", "random",
                           "random:", "random:-1", "random:1x", "random: 1", "99999999999x1x1", "2x2,2"}) {
    EXPECT_EQ(error(torus, text), "here: '" + std::string(text) + "'" + remedy);
  }
  EXPECT_EQ(error(torus, "2x2"),
            "here: a box of 2x2 routers is not part of torus 4 x 3 x 2 (open in z), 2 nodes a router; give at most "
            "4x3x2");
  EXPECT_EQ(error(torus, "1x1x3"),
            "here: a box of 1x1x3 routers is not part of torus 4 x 3 x 2 (open in z), 2 nodes a router; give at most "
            "4x3x2");
  EXPECT_EQ(error(dragonfly, "2x2x2"), "here: 2x2x2: small-dragonfly is not a torus; give first, or random:SEED");
  EXPECT_EQ(error(torus, "1x1x1", 9),
            "here: 9 ranks on the 8 cores of 2 nodes; give at most 8, more nodes, or say oversubscribe");
  EXPECT_EQ(error(torus, "random:1", 193),
            "here: 193 ranks on the 192 cores of 48 nodes; give at most 192, more nodes, or say oversubscribe");
  EXPECT_EQ(place_job(torus, "1x1x1", 9, {.oversubscribe = true}, "here").size(), 9u);
}

}  // namespace
}  // namespace strata
