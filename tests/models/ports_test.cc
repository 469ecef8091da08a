// SPDX-License-Identifier: LGPL-2.1-only
// Messages through several network ports of a node: routes worked out by hand, times in closed form, and the routes of
// the simulation against those of the models, which share no code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "flow/link_names.h"
#include "flow/machine_flows.h"
#include "models/links_taken.h"
#include "tests/models/round_machines.h"

namespace strata::flow {
namespace {

using models::gigabytes_per_s;
using models::microseconds;
using models::uniform_machine;
using testing::ElementsAre;

constexpr double kPrecision = 1e-12;  // s

Figure bytes(double value) { return {.value = value, .unit = "B", .source = "assumed: by a test", .si = value}; }

// Two nodes of two packages of two cores, with links that are wide, and two ports of 1 GB/s. A message gets 1 GB/s.
Machine two_nodes(const std::vector<std::string>& at) {
  Machine m = uniform_machine("node:2 pack:2 [numa] core:2 pu:1");
  m.ports = NetworkPorts{.at = at, .bandwidth = gigabytes_per_s(1)};
  return m;
}

// By name and direction: "node0.core1 up".
std::map<std::string, double> named_uses(const Machine& m, int a, int b, double payload) {
  const RouteTree tree(m);
  std::vector<FairShares::Use> uses;
  tree.find_uses(a, b, -1, payload, uses);
  const std::vector<LinkName> names = link_names(m, tree);
  std::map<std::string, double> named;
  for (const auto& [link, weight] : uses) {
    const auto [at, is_new] = named.emplace(names[link].link + " " + names[link].direction, weight);
    EXPECT_TRUE(is_new) << at->first << " is used twice";
    EXPECT_EQ(names[link].capacity, tree.link_bandwidth(link));
  }
  return named;
}

using Uses = std::map<std::string, double>;

// Cores 0 and 1 are in Package 0 of node 0, 6 and 7 in Package 1 of node 1. A port of its own package spares a message
// the link between package and node.
TEST(Ports, ThePortOfTheOwnPackage) {
  const Machine m = two_nodes({"Package 0", "Package 1"});
  EXPECT_EQ(named_uses(m, 0, 7, 100), (Uses{{"node0.core0 up", 1},
                                            {"port 0 of node 0 up", 1},
                                            {"node0 up", 1},
                                            {"node1 down", 1},
                                            {"port 1 of node 1 down", 1},
                                            {"node1.core3 down", 1}}));
  // Within a node, nothing changes.
  Machine single = m;
  single.ports.reset();
  EXPECT_EQ(named_uses(m, 0, 3, 100), named_uses(single, 0, 3, 100));
}

TEST(Ports, AFarPortCostsTheLinksBetweenPackages) {
  Machine m = two_nodes({"Package 0"});
  const RouteTree tree(m);
  const std::string package0 = "node0.Package#" + std::to_string(m.topology->node_vertex(0) + 1);
  const Uses uses = named_uses(m, 2, 4, 100);  // from Package 1 of node 0 to Package 0 of node 1
  std::vector<std::string> links;
  for (const auto& [name, weight] : uses) {
    EXPECT_EQ(weight, 1) << name;
    links.push_back(name);
  }
  EXPECT_EQ(uses.size(), 8U) << testing::PrintToString(links);
  EXPECT_EQ(uses.count("node0.core2 up") + uses.count("port 0 of node 0 up") + uses.count("node0 up") +
                uses.count("node1 down") + uses.count("port 0 of node 1 down") + uses.count("node1.core0 down"),
            6U)
      << testing::PrintToString(links);
  m.ports->far_latency = microseconds(0.5);
  MachineFlows flows(m, kPrecision);
  // Wire latencies: 1 us less the overhead of 0.25 us; and 0.5 us for each core that is not below Package 0.
  EXPECT_DOUBLE_EQ(flows.paths().latency(0, 4), 1e-6);
  EXPECT_DOUBLE_EQ(flows.paths().latency(2, 4), 1.5e-6);
  EXPECT_DOUBLE_EQ(flows.paths().latency(2, 6), 2e-6);
  EXPECT_DOUBLE_EQ(flows.paths().latency(0, 2), 1e-6) << "within a node";
}

TEST(Ports, TurnsAndTies) {
  Machine m = two_nodes({"Machine", "Machine"});
  const PortPlaces nearest(m);
  for (int core = 0; core < 8; ++core) EXPECT_EQ(nearest.of(core, 0).first, 2 * (core / 4) + core % 2) << core;
  m.ports = NetworkPorts{.at = {"Package 0", "Package 0", "Package 1"}, .rule = PortRule::kTurns};
  const PortPlaces turns(m);
  for (int core = 0; core < 8; ++core) {
    EXPECT_EQ(turns.of(core, 0).first, 3 * (core / 4) + (core % 4) % 3) << core;
    EXPECT_EQ(turns.of(core, 0).far, (core % 4) / 2 != ((core % 4) % 3) / 2) << core;
  }
}

TEST(Ports, LongMessagesAreDivided) {
  Machine m = two_nodes({"Package 0", "Package 1"});
  m.ports->stripe_from = bytes(1000);
  EXPECT_EQ(named_uses(m, 0, 7, 999).count("port 1 of node 0 up"), 0U);
  const Uses uses = named_uses(m, 0, 7, 1000);
  EXPECT_EQ(uses.at("node0.core0 up"), 1);
  EXPECT_EQ(uses.at("port 0 of node 0 up"), 0.5);
  EXPECT_EQ(uses.at("port 1 of node 0 up"), 0.5);
  EXPECT_EQ(uses.at("port 0 of node 1 down"), 0.5);
  EXPECT_EQ(uses.at("node0 up"), 1);
}

// The times at which messages of `payload` from these cores to these arrive, all sent at time 0.
std::vector<double> arrivals(const Machine& m, const std::vector<std::pair<int, int>>& messages, double payload) {
  MachineFlows flows(m, kPrecision);
  std::vector<double> at(messages.size(), -1);
  std::map<int, size_t> which;
  for (size_t i = 0; i < messages.size(); ++i) {
    which[flows.start_message(messages[i].first, messages[i].second, payload, 0)] = i;
  }
  double now = 0;
  for (double wait = flows.flows().until_next(now); wait >= 0; wait = flows.flows().until_next(now)) {
    now += wait;
    flows.advance(now, [&](int id) { at[which.at(id)] = now; });
  }
  return at;
}

// All four cores of node 0 send 1,000,000 B, wire latency 0.75 us, to those of node 1.
TEST(Ports, CoresShareThePortsTheyTake) {
  const double payload = 1e6 - kEnvelopeBytes, wire_s = 0.75e-6;
  const std::vector<std::pair<int, int>> four = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const auto all_at = [](double seconds) { return std::vector<double>(4, seconds); };
  const auto expect_all = [&](const Machine& m, double seconds, const char* which) {
    EXPECT_THAT(arrivals(m, four, payload), testing::Pointwise(testing::DoubleNear(1e-12), all_at(wire_s + seconds)))
        << which;
  };
  expect_all(two_nodes({"Package 0"}), 4e-3, "one port of 1 GB/s");
  expect_all(two_nodes({"Package 0", "Package 1"}), 2e-3, "two cores a port");
  expect_all(two_nodes({"Machine", "Machine", "Machine", "Machine"}), 1e-3, "a port each");
  Machine narrow = two_nodes({"Package 0", "Package 1"});
  models::level_of(narrow, "System - Cluster").link_bandwidth = gigabytes_per_s(1);
  expect_all(narrow, 4e-3, "ports share the node's link");
  // One core alone: 2 GB/s in two parts, as much as its level allows.
  Machine striped = two_nodes({"Package 0", "Package 1"});
  models::level_of(striped, "System - Cluster").bandwidth = gigabytes_per_s(2);
  EXPECT_NEAR(arrivals(striped, {{0, 4}}, payload)[0], wire_s + 1e-3, 1e-12) << "a port's bandwidth";
  striped.ports->stripe_from = bytes(1000);
  EXPECT_NEAR(arrivals(striped, {{0, 4}}, payload)[0], wire_s + 0.5e-3, 1e-12);
}

// A gap is between messages through the same port.
TEST(Ports, GapsOfAPort) {
  const double payload = 1000 - kEnvelopeBytes, gap_s = 10e-6, alone_s = 0.75e-6 + 1e-6;
  Machine one = two_nodes({"Package 0"}), two = two_nodes({"Package 0", "Package 1"});
  for (Machine* m : {&one, &two}) models::level_of(*m, "System - Cluster").gap = microseconds(10);
  const std::vector<std::pair<int, int>> messages = {{0, 4}, {2, 6}};
  const std::vector<double> shared = arrivals(one, messages, payload), own = arrivals(two, messages, payload);
  EXPECT_NEAR(shared[0], alone_s, 1e-12);
  EXPECT_NEAR(shared[1], alone_s + gap_s, 1e-12);
  EXPECT_NEAR(own[0], alone_s, 1e-12);
  EXPECT_NEAR(own[1], alone_s, 1e-12);
}

// By the vertex of the link, as models name it, or its port; and whether it leads up or out.
using Key = std::pair<std::string, bool>;

std::map<Key, double> simulated(const Machine& m, const RouteTree& tree, int a, int b, double payload) {
  std::vector<FairShares::Use> uses;
  tree.find_uses(a, b, -1, payload, uses);
  std::map<Key, double> result;
  for (const auto& [link, weight] : uses) {
    if (link >= tree.first_port_link()) {
      const int port = (link - tree.first_port_link()) / 2;
      result[{"port " + std::to_string(port), link % 2 == tree.first_port_link() % 2}] += weight;
      continue;
    }
    // The topmost vertex of the stop's chain.
    const Topology& t = *m.topology;
    int v = tree.stops()[link / 2].vertex;
    const int above = tree.stops()[tree.stops()[link / 2].up].vertex;
    while (t.parent(v) != above) v = t.parent(v);
    result[{"vertex " + std::to_string(v), link % 2 == 0}] += weight;
  }
  return result;
}

std::map<Key, double> modelled(const models::MessageCosts& costs, int a, int b, double payload) {
  using Kind = models::Link::Kind;
  const Topology& t = costs.topology();
  std::map<Key, double> result;
  models::for_each_link(costs, t.cores()[a], t.cores()[b], payload, [&](const models::Link& l) {
    if (l.kind == Kind::kPortOut || l.kind == Kind::kPortIn) {
      result[{"port " + std::to_string(l.of), l.kind == Kind::kPortOut}] += l.weight;
    } else if (l.kind == Kind::kUp || l.kind == Kind::kDown) {
      result[{"vertex " + std::to_string(l.of), l.kind == Kind::kUp}] += l.weight;
    }
  });
  return result;
}

TEST(Ports, SimulationAndModelsTakeTheSameLinks) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto draw = [&](int n) { return static_cast<int>(random() % n); };
  const std::vector<std::string> lines = {"node:2 pack:2 [numa] core:2 pu:1", "node:3 pack:2 numa:2 l3:2 core:2 pu:1",
                                          "switch:2 node:2 pack:2 [numa] l3:2 core:1 pu:2", "node:2 core:1 pu:1",
                                          "node:2 pack:1 [numa] core:3 pu:1"};
  long divided = 0, far = 0, pairs = 0;
  for (int round = 0; round < 60; ++round) {
    Machine m = uniform_machine(lines[draw(static_cast<int>(lines.size()))]);
    NetworkPorts ports{
        .at = {}, .rule = draw(2) == 0 ? PortRule::kNearest : PortRule::kTurns, .bandwidth = gigabytes_per_s(1)};
    std::vector<std::string> objects;
    for (const NodeObject& o : m.topology->node_tree(0).objects()) {
      const std::string at = o.name + " " + std::to_string(o.logical_index);
      if (find_port_object(m.topology->node_tree(0), at) >= 0) objects.push_back(at);
    }
    for (int n = 1 + draw(4); n > 0; --n) ports.at.push_back(objects[draw(static_cast<int>(objects.size()))]);
    if (draw(2) == 0) ports.stripe_from = bytes(1000);
    m.ports = std::move(ports);
    const RouteTree tree(m);
    const models::MessageCosts costs(m);
    const PortPlaces places(m);
    for (int a = 0; a < tree.num_cores(); ++a) {
      for (int b = 0; b < tree.num_cores(); ++b) {
        if (a == b) continue;
        for (const double payload : {0.0, 5000.0}) {
          const auto expected = modelled(costs, a, b, payload);
          const auto found = simulated(m, tree, a, b, payload);
          ASSERT_EQ(found.size(), expected.size()) << m.topology->num_nodes() << " nodes, " << a << " to " << b;
          for (const auto& [link, weight] : expected) ASSERT_NEAR(found.at(link), weight, 1e-12) << link.first;
          ++pairs;
          divided += places.of(a, payload).count > 1 ? 1 : 0;
          far += places.of(a, payload).far ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(pairs, 1000);
  EXPECT_GT(divided, 100);
  EXPECT_GT(far, 100);
}

}  // namespace
}  // namespace strata::flow
