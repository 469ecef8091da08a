// SPDX-License-Identifier: LGPL-2.1-only
// The levels at which pairs of a job meet, compared with the levels of every pair.
#include "calibration/pair_levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "calibration/held_out.h"
#include "platforms/node_tree.h"
#include "tests/process/process.h"

namespace strata::calibration {
namespace {

constexpr const char* kNetwork = "System - Cluster";

// Nodes of two packages, each a NUMA node with two L3s of four cores. Cores meet at the network, Machine, NUMANode, L3.
Machine machine(int nodes) {
  const TemporaryFolder folder;
  const std::string at = (folder.path() / "node.xml").string();
  export_synthetic_as_xml("pack:2 [numa] l3:2(size=16000000) core:4 pu:1", at);
  return machine_from_xml(at, nodes);
}

// "L3 to Machine", "Machine", or the problem.
std::string levels(const Machine& m, const std::string& level, int processes, int stride = 1, int ranks_per_node = 0) {
  const PairLevels found = levels_of_pairs(m, level, processes, stride, ranks_per_node);
  if (!found.problem.empty()) return found.problem;
  return found.innermost == found.outermost ? found.outermost : found.innermost + " to " + found.outermost;
}

TEST(PairLevels, FullNodesMixLevels) {
  const Machine one = machine(1), four = machine(4);
  EXPECT_EQ(levels(one, "", 16), "L3 to Machine");
  EXPECT_EQ(levels(four, "", 64), std::string("L3 to ") + kNetwork);
  EXPECT_EQ(levels(four, "", 16), "L3 to Machine") << "cores are filled in order: one node";
  EXPECT_EQ(levels(four, "", 8), "L3 to NUMANode");
  EXPECT_EQ(levels(four, kNetwork, 8), std::string("L3 to ") + kNetwork) << "dealt over the nodes: two on each";
  EXPECT_EQ(levels(four, "", 8, 1, 2), std::string("L3 to ") + kNetwork)
      << "two ranks on each node, on its first cores";
}

TEST(PairLevels, OneProcessInEachPartIsOneLevel) {
  const Machine one = machine(1), four = machine(4);
  EXPECT_EQ(levels(four, "", 4), kNetwork);
  EXPECT_EQ(levels(four, "", 2), kNetwork);
  EXPECT_EQ(levels(one, "", 2), "Machine");
  EXPECT_EQ(levels(one, "L3", 4), "L3");
  EXPECT_EQ(levels(one, "NUMANode", 2), "NUMANode");
  EXPECT_EQ(levels_of_pairs(one, "NUMANode", 2, 1, 0).assumption, "");
  EXPECT_EQ(levels_of_pairs(one, "", 2, 1, 0).assumption,
            "its 2 processes are taken to meet at Machine, one in each part; if they were elsewhere, write LEVEL=FILE");
}

TEST(PairLevels, Problems) {
  const Machine one = machine(1);
  EXPECT_EQ(levels(one, "", 1), "a single process has no pair");
  EXPECT_EQ(levels(one, "", 17), "17 processes, where 16 cores may have one");
  EXPECT_EQ(levels(one, "L3", 5), "5 processes, where 4 cores of L3 may have one");
  EXPECT_EQ(levels(machine(4), "", 64, 1, 8), "64 processes, where 32 cores may have one");
}

// Every job of up to 32 processes on two nodes, with every stride.
TEST(PairLevels, AreThoseOfAllPairs) {
  const Machine m = machine(2);
  const Topology& t = *m.topology;
  for (int processes = 3; processes <= 32; ++processes) {
    const std::vector<Binding> ranks = bindings_of({.ranks = processes}, m);
    for (int stride = 1; stride <= processes; ++stride) {
      std::string outermost, innermost;
      for (const LevelCosts& costs : m.levels) {
        for (int a = 0; a < processes; a += stride) {
          for (int b = processes - 1; b >= 0; b -= stride) {
            Cpuset both = ranks[a].cpuset;
            both |= ranks[b].cpuset;
            const int at = ranks[a].node == ranks[b].node ? t.covering(ranks[a].node, both) : 0;
            if (a == b || t.name(at) != costs.level) continue;
            if (outermost.empty()) outermost = costs.level;
            innermost = costs.level;
          }
        }
      }
      const std::string expected = outermost.empty()        ? "no two of its processes are a pair"
                                   : outermost == innermost ? outermost
                                                            : innermost + " to " + outermost;
      EXPECT_EQ(levels(m, "", processes, stride), expected) << processes << " processes, stride " << stride;
    }
  }
}

}  // namespace
}  // namespace strata::calibration
