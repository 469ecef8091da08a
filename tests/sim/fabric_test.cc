// SPDX-License-Identifier: LGPL-2.1-only
// Simulated messages over a torus, a dragonfly, a fat tree and switches, with every routing, compared with equations
// and with LogGP, which shares no code with the plugin.
//
// Figures of the machines (tests/platforms/fabric_machines.h): between nodes, a message of m bytes, with its envelope
// of 16 B, alone takes 1.5 us, 0.1 us for each link between routers, and m / 2 GB/s. The injection of a node is 6 GB/s
// in each direction. If k messages begin at once over a link of bandwidth R, they take latency + k m / min(R, k 2
// GB/s). If R is the injection, this is the max-rate model (W. Gropp, L. Olson, P. Samfass, EuroMPI 2016).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"
#include "tests/platforms/fabric_machines.h"
#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

using ::testing::HasSubstr;

constexpr double kUs = 1e-6, kGBs = 1e9;
constexpr double kEnvelope = 16;  // B

struct Place {
  int node, core;
};

class Fabric : public UnitMachine {
 protected:
  void use(const std::string& machine) {
    folder_.write("machine.yaml", machine);
    folder_.write("fabric.txt", kSwitchesFile);
  }

  void place(const std::vector<Place>& ranks) {
    std::ostringstream text;
    for (size_t r = 0; r < ranks.size(); ++r) text << r << ' ' << ranks[r].node << ' ' << ranks[r].core << '\n';
    folder_.write("bindings", text.str());
  }

  // Half a round trip of a message of `bytes` between two cores.
  double ping_pong(Place a, Place b, int bytes) {
    place({a, b});
    const auto values = run("pingpong", 2, "bytes: [" + std::to_string(bytes) + "]", "mapping: {bindings: bindings}\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    return values.at("time").at(std::to_string(bytes));
  }

  // The time at which the messages from `from[i]` to `to[i]`, which all begin at once, arrive; expects that all arrive
  // at that time.
  double all_at_once(const std::vector<Place>& from, const std::vector<Place>& to, int bytes) {
    std::vector<Place> ranks = from;
    ranks.insert(ranks.end(), to.begin(), to.end());
    place(ranks);
    const auto values = run(built("tests/sim/pairs.so"), static_cast<int>(ranks.size()),
                            "bytes: [" + std::to_string(bytes) + "]", "mapping: {bindings: bindings}\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    double first = 1e9, last = 0;
    for (const auto& [point, time_s] : values.at("time")) {
      first = std::min(first, time_s);
      last = std::max(last, time_s);
    }
    EXPECT_EQ(values.at("time").size(), from.size());
    EXPECT_NEAR(first, last, kTolerance);
    return last;
  }
};

// A node of the torus of 4 x 3 x 2 routers with two nodes each.
int torus_node(int x, int y, int z, int which = 0) { return 2 * ((x * 3 + y) * 2 + z) + which; }

// A node of the dragonfly of two groups of 2 x 3 routers with two nodes each.
int dragonfly_node(int group, int row, int column, int which = 0) {
  return 2 * ((group * 2 + row) * 3 + column) + which;
}

TEST_F(Fabric, PingPongOnATorusTakesALatencyForEachHop) {
  use(kTorusYaml);
  const Place here{torus_node(0, 0, 0), 0};
  for (const int bytes : {0, 1000, 1'000'000}) {  // eager and rendezvous
    const double wire = bytes + kEnvelope;
    const auto expect = [&](Place there, double latency_s, double bandwidth) {
      EXPECT_NEAR(ping_pong(here, there, bytes), latency_s + wire / bandwidth, kTolerance) << bytes;
    };
    expect({here.node, 3}, 0.7 * kUs, 5 * kGBs);
    expect({torus_node(0, 0, 0, 1), 2}, 1.4 * kUs, 2 * kGBs);
    expect({torus_node(1, 0, 0), 1}, 1.6 * kUs, 2 * kGBs);
    expect({torus_node(3, 2, 0), 1}, 1.7 * kUs, 2 * kGBs);     // both wrap around
    expect({torus_node(2, 2, 1, 1), 3}, 1.9 * kUs, 2 * kGBs);  // 2 + 1 + 1
  }
}

// Router i of a group reaches router j of the other group over link (i + row of j) mod 2 between the groups. Link 0
// connects routers 0 of both groups, link 1 routers 3.
TEST_F(Fabric, PingPongOnADragonflyTakesALatencyForEachHop) {
  use(kDragonflyYaml);
  for (const int bytes : {0, 1'000'000}) {
    const double wire = bytes + kEnvelope;
    const auto expect = [&](Place here, Place there, double hops) {
      EXPECT_NEAR(ping_pong(here, there, bytes), (1.5 + 0.1 * hops) * kUs + wire / (2 * kGBs), kTolerance) << bytes;
    };
    expect({dragonfly_node(0, 0, 0), 0}, {dragonfly_node(0, 0, 2), 1}, 1);
    expect({dragonfly_node(0, 0, 0), 0}, {dragonfly_node(0, 1, 2), 1}, 2);
    expect({dragonfly_node(0, 0, 0), 0}, {dragonfly_node(1, 0, 0), 1}, 1);
    expect({dragonfly_node(0, 0, 1), 0}, {dragonfly_node(1, 1, 2), 1}, 4);  // 1 + 1 + 2 there, 1 + 1 + 2 back
    expect({dragonfly_node(0, 0, 0), 0}, {dragonfly_node(1, 0, 1), 1}, 3);  // 2 there; 1 + 2 + 1 = 4 back
    EXPECT_NEAR(ping_pong({0, 0}, {1, 0}, bytes), 1.4 * kUs + wire / (2 * kGBs), kTolerance);
  }
}

TEST_F(Fabric, ANodesInjectionIsSharedByItsCores) {
  const double m = 1e6;
  for (const bool torus : {true, false}) {
    // Links between the routers that are never full.
    use(torus ? with(kTorusYaml, "value: 4.5,", "value: 100,") : with(kDragonflyYaml, "value: 4.5,", "value: 100,"));
    for (int k = 1; k <= 4; ++k) {
      std::vector<Place> from, to, to_many;
      for (int core = 0; core < k; ++core) {
        from.push_back({0, core});
        to.push_back({torus ? torus_node(1, 0, 0) : dragonfly_node(0, 0, 1), core});
        to_many.push_back({torus ? torus_node(1, 0, 0, core % 2) : dragonfly_node(0, 0, 1, core % 2), core});
      }
      const double expected = 1.6 * kUs + k * m / std::min(6 * kGBs, k * 2 * kGBs);
      const int bytes = static_cast<int>(m - kEnvelope);
      EXPECT_NEAR(all_at_once(from, to, bytes), expected, kTolerance) << k;
      EXPECT_NEAR(all_at_once(from, to_many, bytes), expected, kTolerance) << "to two nodes";
      EXPECT_NEAR(all_at_once(to_many, from, bytes), expected, kTolerance) << "what comes in is limited too";
    }
  }
}

// The injection also limits messages between nodes of one router.
TEST_F(Fabric, TheInjectionIsTakenWithinARouterToo) {
  use(kTorusYaml);
  std::vector<Place> from, to;
  for (int core = 0; core < 4; ++core) {
    from.push_back({0, core});
    to.push_back({1, core});
  }
  EXPECT_NEAR(all_at_once(from, to, 1'000'000 - 16), 1.4 * kUs + 4e6 / (6 * kGBs), kTolerance);
}

// Messages from the cores of a router's two nodes to those of a neighbouring router: up to 12 GB/s enter a link that
// carries less.
TEST_F(Fabric, ALinkBetweenRoutersIsSharedByThoseThatTakeIt) {
  const double m = 1e6;
  const int bytes = static_cast<int>(m - kEnvelope);
  struct Case {
    const std::string& machine;
    int there;  // the first node of the neighbouring router
    double link;
  };
  for (const auto& [machine, there, link] :
       {Case{kTorusYaml, torus_node(1, 0, 0), 4.5 * kGBs}, Case{kTorusYaml, torus_node(0, 1, 0), 3 * kGBs},
        Case{kTorusYaml, torus_node(0, 0, 1), 6 * kGBs}, Case{kDragonflyYaml, dragonfly_node(0, 0, 1), 4.5 * kGBs},
        Case{kDragonflyYaml, dragonfly_node(0, 1, 0), 9 * kGBs},
        Case{kDragonflyYaml, dragonfly_node(1, 0, 0), 3 * kGBs}}) {
    use(machine);
    for (const int k : {1, 2, 3, 5, 8}) {
      std::vector<Place> from, to;
      for (int i = 0; i < k; ++i) {
        from.push_back({i % 2, i / 2});
        to.push_back({there + i % 2, i / 2});
      }
      const double expected = 1.6 * kUs + k * m / std::min(link, k * 2 * kGBs);
      EXPECT_NEAR(all_at_once(from, to, bytes), expected, kTolerance) << k << " to node " << there;
    }
  }
}

// A message in each direction: these are two links.
TEST_F(Fabric, OppositeMessagesDoNotMeet) {
  use(with(kTorusYaml, "value: 3,", "value: 2,"));
  const Place a{torus_node(0, 0, 0), 0}, b{torus_node(0, 1, 0), 0}, c{torus_node(0, 1, 0), 1},
      d{torus_node(0, 0, 0), 1};
  EXPECT_NEAR(all_at_once({a, c}, {b, d}, 1'000'000 - 16), 1.6 * kUs + 1e6 / (2 * kGBs), kTolerance);
}

// Pairs of ranks along a ring, two hops apart: every link carries messages from two routers.
TEST_F(Fabric, RoutesThatOverlapShareTheirLinks) {
  use(with(kTorusYaml, "dims: [4, 3, 2]", "dims: [8, 1, 1]"));
  for (const int pairs : {1, 2, 8}) {
    std::vector<Place> from, to;
    for (int x = 0; x < pairs; ++x) {
      for (int core = 0; core < 2; ++core) {
        from.push_back({2 * x, core});
        to.push_back({2 * ((x + 2) % 8), core});
      }
    }
    const double link = 4.5 * kGBs;
    const double expected = 1.7 * kUs + 1e6 / (pairs == 1 ? 2 * kGBs : std::min(2 * kGBs, link / 4));
    EXPECT_NEAR(all_at_once(from, to, 1'000'000 - 16), expected, kTolerance) << pairs;
  }
}

// A link with less bandwidth than a message gets elsewhere.
TEST_F(Fabric, ANarrowLinkLimitsAMessageAlone) {
  use(with(kTorusYaml, "value: 3,", "value: 0.5,"));
  EXPECT_NEAR(ping_pong({0, 0}, {torus_node(0, 1, 0), 0}, 100'000 - 16), 1.6 * kUs + 1e5 / (0.5 * kGBs), kTolerance);
  EXPECT_NEAR(ping_pong({0, 0}, {torus_node(1, 0, 0), 0}, 100'000 - 16), 1.6 * kUs + 1e5 / (2 * kGBs), kTolerance);
}

// --- allocations of a job -------------------------------------------------------------------------------------------

// Eight messages from the cores of one router to those of another: the first routers of the machine are neighbours
// along z, those of a box along x or y.
TEST_F(Fabric, ABoxOfRoutersSaysWhichLinksAJobHas) {
  use(kTorusYaml);
  const auto values = run(built("tests/sim/pairs.so"), 16, "bytes: [999984], allocation: [first, 1x1x2, 2x1x1, 1x2x1]",
                          "mapping: {map_by: core}\n");
  EXPECT_EQ(ran_.code, 0) << ran_.err;
  const std::map<std::string, double> link = {
      {"first", 6 * kGBs}, {"1x1x2", 6 * kGBs}, {"2x1x1", 4.5 * kGBs}, {"1x2x1", 3 * kGBs}};
  for (const auto& [point, time_s] : values.at("time")) {
    const auto at = std::find_if(link.begin(), link.end(), [&, &point = point](const auto& l) {
      return point.find(l.first) != std::string::npos;
    });
    ASSERT_NE(at, link.end()) << point;
    EXPECT_NEAR(time_s, 1.6 * kUs + 8e6 / at->second, kTolerance) << point;
  }
  EXPECT_EQ(values.at("time").size(), 4 * 8u);
  EXPECT_NE(read_text(folder_.path() / "out0" / "bindings" / "allocation=2x1x1.txt").find("\n8 12 0\n"),
            std::string::npos);
}

TEST_F(Fabric, CommandsTakeAnAllocation) {
  use(kTorusYaml);
  const std::string machine = folder_.path() / "machine.yaml";
  const auto nodes = [&](const std::string& allocation) {
    const Ran ran = run_strata({"hsplit", "--machine", machine, "--np", "16", "--allocation", allocation, "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::vector<int> nodes;
    const auto json = nlohmann::ordered_json::parse(ran.out);
    for (const auto& rank : json["ranks"]) nodes.push_back(rank["node"]);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  };
  EXPECT_EQ(nodes("first"), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(nodes("2x1x1"), (std::vector<int>{0, 1, 12, 13}));
  EXPECT_EQ(nodes("random:1").size(), 4u);
  const Ran refused = run_strata({"hsplit", "--machine", machine, "--np", "17", "--allocation", "2x1x1"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("--allocation: 17 ranks on the 16 cores of 4 nodes; give at most 16, more nodes, or "
                        "say oversubscribe"));
}

// --- several routes -------------------------------------------------------------------------------------------------

// From (0,0,0) to (1,1,0), each corner gets half of a message; to (2,0,0), each direction around the ring.
TEST_F(Fabric, ASpreadMessageGetsWhatItsWaysCarryTogether) {
  use(routed(with(kTorusYaml, "value: 4.5,", "value: 0.5,"), "spread"));
  for (const int bytes : {0, 100'000 - 16}) {
    const double wire = bytes + kEnvelope;
    EXPECT_NEAR(ping_pong({0, 0}, {torus_node(1, 1, 0), 0}, bytes), 1.7 * kUs + wire / (2 * 0.5 * kGBs), kTolerance);
    EXPECT_NEAR(ping_pong({0, 0}, {torus_node(2, 0, 0), 0}, bytes), 1.7 * kUs + wire / (2 * 0.5 * kGBs), kTolerance);
    EXPECT_NEAR(ping_pong({0, 0}, {torus_node(1, 0, 0), 0}, bytes), 1.6 * kUs + wire / (0.5 * kGBs), kTolerance);
    EXPECT_NEAR(ping_pong({0, 0}, {torus_node(0, 1, 0), 0}, bytes), 1.6 * kUs + wire / (2 * kGBs), kTolerance);
  }
}

// To the other group of a dragonfly over both links between the groups. From (0,0,0), link 0 is a route of one link.
// Link 1 connects routers (0,1,0) of both groups, so its route has a column link at each end. The mean is two links.
TEST_F(Fabric, ASpreadMessageTakesTheLatencyOfItsWaysMean) {
  use(routed(with(kDragonflyYaml, "value: 3,", "value: 0.5,"), "spread"));
  for (const int bytes : {0, 100'000 - 16}) {
    EXPECT_NEAR(ping_pong({0, 0}, {dragonfly_node(1, 0, 0), 0}, bytes),
                (1.5 + 0.1 * (1 + 3) / 2) * kUs + (bytes + kEnvelope) / (2 * 0.5 * kGBs), kTolerance);
  }
}

// k messages take both corners. Links along y carry 3 GB/s, so two routes carry twice as much as one.
TEST_F(Fabric, SpreadMessagesShareAllTheirLinks) {
  const double m = 1e6;
  for (const auto& [routing, carried] : {std::pair{"minimal", 3 * kGBs}, {"spread", 6 * kGBs}}) {
    use(routed(kTorusYaml, routing));
    for (const int k : {1, 2, 3, 5, 8}) {
      std::vector<Place> from, to;
      for (int i = 0; i < k; ++i) {
        from.push_back({i % 2, i / 2});
        to.push_back({torus_node(1, 1, 0, i % 2), i / 2});
      }
      EXPECT_NEAR(all_at_once(from, to, static_cast<int>(m - kEnvelope)),
                  1.7 * kUs + k * m / std::min(carried, k * 2 * kGBs), kTolerance)
          << routing << " " << k;
    }
  }
}

// If no link is full, a detour has no advantage, and adaptive routing is the same as spread routing.
TEST_F(Fabric, AdaptiveIsSpreadWhereNothingIsFull) {
  std::map<std::string, double> times;
  for (const char* routing : {"spread", "adaptive"}) {
    use(routed(with(kTorusYaml, "value: 3,", "value: 4.5,"), routing));
    std::vector<Place> from, to;
    for (int x = 0; x < 4; ++x) {
      for (int y = 0; y < 3; ++y) {
        from.push_back({torus_node(x, y, 0), 0});
        to.push_back({torus_node((x + 1) % 4, (y + 1) % 3, 1), 0});
      }
    }
    times[routing] = all_at_once(from, to, 1'000'000 - 16);
  }
  EXPECT_EQ(times["adaptive"], times["spread"]);
  EXPECT_NEAR(times["spread"], 1.8 * kUs + 1e6 / (2 * kGBs), kTolerance);
}

// The communication pattern of the ISCA 2008 paper: all nodes of a group send to the next group, over one link between
// the two groups. The group has three more links to other groups. Four of the twelve messages take a detour: for the
// first three the link is not full enough, and later ones take it if the router that they draw is in one of the two
// groups.
TEST_F(Fabric, AdaptiveGoesAroundAFullLinkBetweenGroups) {
  std::map<std::string, double> last;
  for (const char* routing : {"minimal", "spread", "adaptive"}) {
    use(routed(with(kDragonflyYaml, "groups: 2, rows: 2, columns: 3, nodes_per_router: 2, global_links: 2",
                    "groups: 5, rows: 2, columns: 3, nodes_per_router: 2, global_links: 1"),
               routing));
    std::vector<Place> ranks;
    for (const int group : {0, 1}) {
      for (int i = 0; i < 12; ++i) ranks.push_back({12 * group + i, 0});
    }
    place(ranks);
    const auto values = run(built("tests/sim/pairs.so"), 24, "bytes: [1000000]", "mapping: {bindings: bindings}\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    for (const auto& [point, time_s] : values.at("time")) last[routing] = std::max(last[routing], time_s);
  }
  const double link_s = 12e6 / (3 * kGBs);  // all messages over one link
  EXPECT_GT(last["minimal"], link_s);
  EXPECT_LT(last["minimal"], 1.01 * link_s);
  EXPECT_GT(last["spread"], link_s) << "one link between the two: nothing to spread over";
  EXPECT_LT(last["adaptive"], 0.7 * link_s);
  EXPECT_GT(last["adaptive"], link_s / 4) << "four links leave the group";
}

// --- fat tree -------------------------------------------------------------------------------------------------------

// Two nodes per leaf switch, three leaf switches per pod.
TEST_F(Fabric, PingPongOnAFatTreeTakesALatencyForEachHop) {
  use(kFatTreeYaml);
  for (const int bytes : {0, 1'000'000}) {
    const double wire = bytes + kEnvelope;
    for (const auto& [node, latency_s] : {std::pair{1, 1.4 * kUs}, {3, 1.7 * kUs}, {5, 1.7 * kUs}, {11, 1.9 * kUs}}) {
      EXPECT_NEAR(ping_pong({0, 0}, {node, 3}, bytes), latency_s + wire / (2 * kGBs), kTolerance) << node;
    }
  }
}

// Every node sends to the node `shift` further on: no two messages share a cable, although a cable carries less than
// two.
TEST_F(Fabric, ShiftsDoNotBlockOnAFatTree) {
  for (const int shift : {2, 3, 6, 7, 11}) {
    use(with(kFatTreeYaml, "value: 4.5,", "value: 2,"));
    std::vector<Place> ranks;
    for (int node = 0; node < 12; ++node) ranks.push_back({node, 0});
    for (int node = 0; node < 12; ++node) ranks.push_back({(node + shift) % 12, 1});
    place(ranks);
    const auto values = run(built("tests/sim/pairs.so"), 24, "bytes: [999984]", "mapping: {bindings: bindings}\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    EXPECT_EQ(values.at("time").size(), 12u);
    for (const auto& [pair, time_s] : values.at("time")) {
      EXPECT_LE(time_s, 1.9 * kUs + 1e6 / (2 * kGBs) + kTolerance) << pair << ", shift " << shift;
    }
  }
}

// k messages to one node take the same way down, and so the same way up from their pod: a cable of 0.5 GB/s. With
// spreading they use all eight cables.
TEST_F(Fabric, MessagesToANodeComeDownOneWay) {
  const double m = 1e6;
  for (const auto& [routing, carried] : {std::pair{"minimal", 0.5 * kGBs}, {"spread", 4 * kGBs}}) {
    use(routed(with(kFatTreeYaml, "value: 3,", "value: 0.5,"), routing));
    for (const int k : {1, 2, 4}) {
      std::vector<Place> from, to;
      for (int i = 0; i < k; ++i) {
        from.push_back({2 * (i % 3), i / 3});
        to.push_back({6, i});
      }
      EXPECT_NEAR(all_at_once(from, to, static_cast<int>(m - kEnvelope)),
                  1.9 * kUs + k * m / std::min(carried, k * 2 * kGBs), kTolerance)
          << routing << " " << k;
    }
  }
}

// --- switches from a file -------------------------------------------------------------------------------------------

TEST_F(Fabric, PingPongOverSwitchesTakesALatencyForEachHop) {
  use(kSwitchesYaml);
  for (const int bytes : {0, 1'000'000}) {
    const double wire = bytes + kEnvelope;
    for (const auto& [node, latency_s] : {std::pair{2, 1.4 * kUs}, {3, 1.7 * kUs}, {4, 1.7 * kUs}, {5, 1.7 * kUs}}) {
      EXPECT_NEAR(ping_pong({0, 0}, {node, 3}, bytes), latency_s + wire / (2 * kGBs), kTolerance) << node;
    }
  }
}

// D-mod-k: four messages to node 4 share the one cable from the first upper switch down to its leaf switch. With
// spreading, half of the bytes from node 5 use that cable, and a third of those from node 0, because two of the three
// cables of its switch lead to the second upper switch.
TEST_F(Fabric, MessagesOverSwitchesTakeTheCablesOfTheirTarget) {
  const double m = 1e6;
  const std::vector<Place> to = {{4, 0}, {4, 1}, {4, 2}, {4, 3}};
  use(with(kSwitchesYaml, "value: 4.5,", "value: 2.5,"));
  const std::vector<Place> from_one = {{5, 0}, {5, 1}, {5, 2}, {5, 3}};
  EXPECT_NEAR(all_at_once(from_one, to, static_cast<int>(m - kEnvelope)), 1.7 * kUs + 4 * m / (2.5 * kGBs), kTolerance);
  use(routed(with(kSwitchesYaml, "value: 4.5,", "value: 2.5,"), "spread"));
  EXPECT_NEAR(all_at_once(from_one, to, static_cast<int>(m - kEnvelope)), 1.7 * kUs + 4 * m / (2 * 2.5 * kGBs),
              kTolerance);
  const std::vector<Place> from_other = {{0, 0}, {0, 1}, {0, 2}, {0, 3}};
  EXPECT_NEAR(all_at_once(from_other, to, static_cast<int>(m - kEnvelope)), 1.7 * kUs + 4 * m * 2 / 3 / (3 * kGBs),
              kTolerance);
}

// --- compared with LogGP --------------------------------------------------------------------------------------------

// Links that are never full: no assumption of the model fails, so it must agree with the simulation.
std::string wide(std::string machine) {
  for (const char* narrow : {"value: 6,", "value: 4.5,", "value: 3,", "value: 20,"}) {
    machine = with(machine, narrow, "value: 5000,");
  }
  for (const char* narrow : {"value: 6,", "value: 9,"}) {
    if (machine.find(narrow) != std::string::npos) machine = with(machine, narrow, "value: 5000,");
  }
  return machine;
}

class FabricModels : public Fabric {
 protected:
  void expect_agreement(const std::string& machine, const std::string& program, int ranks, const std::string& sweep,
                        int points) {
    use(machine);
    run(program, ranks, sweep, "mapping: {map_by: core}\nmodels: {loggp: 0.000001}\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    EXPECT_THAT(ran_.out, HasSubstr("loggp: " + std::to_string(points) + " points within 0.0001 %"));
    EXPECT_THAT(ran_.out, HasSubstr("0 outside the model, 0 disagree"));
  }
};

constexpr const char* kCollectives =
    "collective: [bcast, reduce, allreduce], algorithm: [linear, binomial], variant: [native, hierarchical], "
    "elements: [100, 20000]";

TEST_F(FabricModels, CollectivesOnATorus) { expect_agreement(wide(kTorusYaml), "collective", 61, kCollectives, 24); }

TEST_F(FabricModels, CollectivesOnADragonfly) {
  expect_agreement(wide(kDragonflyYaml), "collective", 61, kCollectives, 24);
}

TEST_F(FabricModels, CollectivesOnAFatTree) {
  expect_agreement(wide(kFatTreeYaml), "collective", 41, kCollectives, 24);
}

TEST_F(FabricModels, CollectivesOverSwitches) {
  expect_agreement(wide(kSwitchesYaml), "collective", 23, kCollectives, 24);
  expect_agreement(routed(wide(kSwitchesYaml), "spread"), "collective", 23, kCollectives, 24);
}

TEST_F(FabricModels, CollectivesSpreadOverSeveralWays) {
  expect_agreement(routed(wide(kFatTreeYaml), "spread"), "collective", 41, kCollectives, 24);
  expect_agreement(routed(wide(kTorusYaml), "spread"), "collective", 61, kCollectives, 24);
  expect_agreement(routed(wide(kDragonflyYaml), "spread"), "collective", 61, kCollectives, 24);
}

TEST_F(FabricModels, AdaptiveIsOutside) {
  use(routed(kTorusYaml, "adaptive"));
  run("collective", 61, "collective: [bcast], algorithm: [binomial], variant: [native], elements: [100]",
      "mapping: {map_by: core}\nmodels: {loggp: 0.000001}\n");
  EXPECT_EQ(ran_.code, 0) << ran_.err;
  EXPECT_THAT(ran_.out, HasSubstr("0 points within 0.0001 %, 1 outside the model (routing), 0 disagree"));
}

TEST_F(FabricModels, RingsAndRecursiveDoubling) {
  for (const std::string& machine : {kTorusYaml, kDragonflyYaml}) {
    expect_agreement(wide(machine), "collective", 41,
                     "collective: [allgather], algorithm: [ring], variant: [native], elements: [100, 5000]", 2);
    expect_agreement(
        wide(machine), "collective", 64,
        "collective: [allreduce], algorithm: [recursive-doubling], variant: [native], elements: [100, 5000]", 2);
  }
}

// The routes between ranks 0 and 1 have different lengths in the two directions.
TEST_F(FabricModels, PingPong) {
  place({{dragonfly_node(0, 0, 0), 0}, {dragonfly_node(1, 0, 1), 1}});
  use(kDragonflyYaml);
  run("pingpong", 2, "bytes: [0, 1000, 1000000]",
      "mapping: {bindings: bindings}\nmodels: {loggp: 0.000001, hockney: 0.000001}\n");
  EXPECT_THAT(ran_.out, HasSubstr("loggp: 3 points within 0.0001 %"));
  EXPECT_THAT(ran_.out, HasSubstr("hockney: 3 points within 0.0001 %"));
}

// 64 ranks on 16 nodes; partners are up to 32 ranks apart, and the links between their routers carry less than the
// messages need.
TEST_F(FabricModels, ContentionIsToldByItsLink) {
  use(with(kTorusYaml, "value: 6,", "value: 100,"));
  run("collective", 64,
      "collective: [allreduce], algorithm: [recursive-doubling], variant: [native], elements: [500000]",
      "mapping: {map_by: core}\nmodels: {loggp: 0.000001}\n");
  EXPECT_EQ(ran_.code, 0) << ran_.err;
  EXPECT_THAT(ran_.out, HasSubstr("0 points within 0.0001 %, 1 outside the model (contention), 0 disagree"));
  ASSERT_EQ(run_strata({"report", folder_.path() / "out0"}).code, 0);
  EXPECT_THAT(read_text(folder_.path() / "out0" / "report" / "report.md"),
              ::testing::ContainsRegex("at once on the [xyz][+-] link of router \\([0-3],[0-2],[01]\\) ask for"));
}

// strata model --fit: the ping-pong of a level shows the figures of the machine, including those of its hops.
TEST_F(FabricModels, FitGivesTheDescriptionBack) {
  for (const std::string& machine : {kTorusYaml, kDragonflyYaml}) {
    use(machine);
    const Ran fit = run_strata({"model", "--machine", folder_.path() / "machine.yaml", "--fit", "--json"});
    EXPECT_EQ(fit.code, 0) << fit.err;
    const auto json = nlohmann::ordered_json::parse(fit.out);
    ASSERT_EQ(json["levels"].size(), machine == kTorusYaml ? 3u : 5u);
    for (const auto& level : json["levels"]) {
      EXPECT_LE(std::abs(level["latency_difference"].get<double>()), 1e-6) << level["level"];
      EXPECT_LE(std::abs(level["bandwidth_difference"].get<double>()), 1e-6) << level["level"];
      const bool inside = level["level"] == "NUMANode" || level["level"] == "Gemini" || level["level"] == "Aries";
      EXPECT_EQ(level["hops"], inside ? 0 : 1) << level["level"];
    }
    EXPECT_NEAR(json["levels"][0]["latency_s"].get<double>(), 1.6 * kUs, 1e-12);
  }
}

}  // namespace
}  // namespace strata
