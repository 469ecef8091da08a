// SPDX-License-Identifier: LGPL-2.1-only
// Messages on a machine with different nodes, compared with equations.
//
// Node 0 has one NUMA node of two cores; nodes 1 and 2 have a NUMA node with two L3 of two cores:
//
//   level             latency  bandwidth  link
//   System - Cluster  2 us     2 GB/s     3 GB/s
//   NUMANode          1 us     4 GB/s     9 GB/s
//   L3                0.5 us   8 GB/s     9 GB/s
//
// A message of m bytes, with its envelope of 16 B, alone takes latency + m / bandwidth of its level. k messages that
// begin at once over a node's link take latency + k m / min(3 GB/s, k 2 GB/s), for all kinds of nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

constexpr double kUs = 1e-6, kGBs = 1e9;
constexpr int kEnvelope = 16;  // B
constexpr double kCluster = 2 * kGBs, kNuma = 4 * kGBs, kL3 = 8 * kGBs, kLink = 3 * kGBs;

std::string machine_of_two_kinds() {
  const auto level = [](const std::string& name, double latency, double bandwidth, double link) {
    std::ostringstream text;
    text << "    - {level: " << name << ", latency: {value: " << latency << ", unit: us, source: measured}, "
         << "overhead: {value: 0.25, unit: us, source: measured}, bandwidth: {value: " << bandwidth
         << ", unit: GB/s, source: measured}, link_bandwidth: {value: " << link << ", unit: GB/s, source: measured}}\n";
    return text.str();
  };
  return "schema: strata.machine/1\nname: kinds\ndescription: three nodes of two kinds\nsource: none\n"
         "nodes: [{count: 1, synthetic: \"core:2 pu:1\"}, {count: 2, synthetic: \"l3:2 core:2 pu:1\"}]\n"
         "network: {nodes: 3}\ncosts:\n"
         "  core: {speed: {value: 1, unit: Gflop/s, source: measured}, "
         "copy_bandwidth: {value: 9, unit: GB/s, source: measured}}\n"
         "  eager_limit: {value: 1, unit: KiB, source: measured}\n  levels:\n" +
         level("System - Cluster", 2, 2, 3) + level("NUMANode", 1, 4, 9) + level("L3", 0.5, 8, 9);
}

struct Place {
  int node, core;
};

class Kinds : public UnitMachine {
 protected:
  Kinds() { folder_.write("machine.yaml", machine_of_two_kinds()); }

  void place(const std::vector<Place>& ranks) {
    std::ostringstream text;
    for (size_t r = 0; r < ranks.size(); ++r) text << r << ' ' << ranks[r].node << ' ' << ranks[r].core << '\n';
    folder_.write("bindings", text.str());
  }
};

TEST_F(Kinds, AMessageAloneTakesTheFiguresOfItsLevel) {
  struct Pair {
    Place a, b;
    double latency_s, bandwidth;
  };
  for (const Pair& pair : {Pair{{0, 0}, {0, 1}, 1 * kUs, kNuma}, Pair{{1, 0}, {1, 1}, 0.5 * kUs, kL3},
                           Pair{{2, 0}, {2, 2}, 1 * kUs, kNuma}, Pair{{0, 1}, {1, 0}, 2 * kUs, kCluster},
                           Pair{{0, 0}, {2, 3}, 2 * kUs, kCluster}, Pair{{1, 3}, {2, 3}, 2 * kUs, kCluster}}) {
    place({pair.a, pair.b});
    const auto values = run("pingpong", 2, "bytes: [0, 1000, 1000000]", "mapping: {bindings: bindings}\n");
    ASSERT_EQ(ran_.code, 0) << ran_.err;
    for (const int bytes : {0, 1000, 1'000'000}) {  // eager and rendezvous
      EXPECT_NEAR(values.at("time").at(std::to_string(bytes)), pair.latency_s + (bytes + kEnvelope) / pair.bandwidth,
                  kTolerance)
          << bytes << " B, nodes " << pair.a.node << " and " << pair.b.node;
    }
  }
}

TEST_F(Kinds, MessagesShareTheLinkOfTheirNode) {
  constexpr double kBytes = 1e6;
  struct Case {
    std::vector<Place> from, to;
    int through;  // messages on the fullest link
  };
  for (const Case& c :
       {Case{{{0, 0}, {0, 1}}, {{1, 0}, {1, 2}}, 2}, Case{{{1, 0}, {1, 2}}, {{0, 0}, {0, 1}}, 2},
        Case{{{1, 0}, {1, 1}, {1, 2}, {1, 3}}, {{2, 3}, {2, 2}, {2, 1}, {2, 0}}, 4},
        Case{{{1, 0}, {1, 1}, {1, 2}, {1, 3}}, {{0, 0}, {0, 1}, {2, 0}, {2, 2}}, 4}, Case{{{0, 1}}, {{2, 3}}, 1}}) {
    std::vector<Place> ranks = c.from;
    ranks.insert(ranks.end(), c.to.begin(), c.to.end());
    place(ranks);
    const auto values =
        run(built("tests/sim/pairs.so"), static_cast<int>(ranks.size()),
            "bytes: [" + std::to_string(static_cast<int>(kBytes) - kEnvelope) + "]", "mapping: {bindings: bindings}\n");
    ASSERT_EQ(ran_.code, 0) << ran_.err;
    EXPECT_EQ(values.at("time").size(), c.from.size());
    const double expected = 2 * kUs + c.through * kBytes / std::min(kLink, c.through * kCluster);
    for (const auto& [pair, time_s] : values.at("time")) EXPECT_NEAR(time_s, expected, kTolerance) << pair;
  }
}

}  // namespace
}  // namespace strata
