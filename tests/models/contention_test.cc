// SPDX-License-Identifier: LGPL-2.1-only
// Contention in cases that can be counted by hand, and compared with a sum over all messages at every moment.
#include "models/contention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

// Two nodes of two packages of four cores, 16 ranks in order. A message between nodes gets 1 GB/s. Links: 2.5 GB/s for
// a node, 3 GB/s for a package, 1.5 GB/s for a core.
Machine two_nodes() {
  Machine machine = uniform_machine("node:2 pack:2 core:4 pu:1");
  set_costs(machine, "System - Cluster", {.latency_us = 1, .overhead_us = 1, .bandwidth_gbs = 1, .link_gbs = 2.5});
  set_costs(machine, "NUMANode", {.latency_us = 1, .overhead_us = 1, .bandwidth_gbs = 1, .link_gbs = 3});
  set_costs(machine, "Package", {.latency_us = 1, .overhead_us = 1, .bandwidth_gbs = 1, .link_gbs = 1.5});
  return machine;
}

// A message between two ranks that needs the bandwidth it gets alone.
Transfer flow(int from, int to, double begin_us, double end_us) {
  return {.from = from, .to = to, .start_s = 0, .flow_s = begin_us * 1e-6, .arrival_s = end_us * 1e-6};
}

std::optional<Contention> find_contention(const MessageCosts& costs, const std::vector<Binding>& ranks,
                                          const std::vector<Transfer>& flows) {
  struct Change {
    double time_s;
    int messages;
    const Transfer* flow;
  };
  std::vector<Change> changes;
  for (const Transfer& f : flows) {
    changes.push_back({f.flow_s, 1, &f});
    changes.push_back({f.arrival_s, -1, &f});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::pair(a.time_s, a.messages) < std::pair(b.time_s, b.messages);
  });
  LinkDemand demand(costs);
  for (const Change& c : changes) {
    const int from = ranks[c.flow->from].core, to = ranks[c.flow->to].core;
    for_each_link(costs, from, to, [&](const Link& link) {
      demand.change(c.time_s, link, c.messages,
                    c.messages * link.weight * costs.between(from, to, c.flow->bytes).bandwidth_bytes_per_s);
    });
  }
  return demand.worst();
}

std::string found(const Machine& machine, const std::vector<Transfer>& transfers) {
  const MessageCosts costs(machine);
  const auto contention = find_contention(costs, place(*machine.topology, machine.topology->num_cores(0)), transfers);
  return contention ? describe(*contention, machine) : "";
}

TEST(Contention, TwoMessagesFitOnANodesLinkThreeDoNot) {
  const Machine m = two_nodes();
  EXPECT_EQ(found(m, {flow(0, 8, 0, 2), flow(1, 9, 0, 2)}), "");
  EXPECT_EQ(found(m, {flow(0, 8, 0, 2), flow(1, 9, 0, 2), flow(4, 12, 0, 2)}),
            "contention: 3 messages at once on the up link of node 0 ask for 3 GB/s of 2.5 GB/s");
}

TEST(Contention, DirectionsAreLinksOfTheirOwn) {
  const Machine m = two_nodes();
  EXPECT_EQ(found(m, {flow(0, 8, 0, 2), flow(1, 9, 0, 2), flow(12, 4, 0, 2), flow(13, 5, 0, 2)}), "");
  // The senders are on two other nodes, so that only the receivers' link is overloaded.
  Machine three = uniform_machine("node:3 pack:1 core:4 pu:1");
  set_costs(three, "System - Cluster", {.latency_us = 1, .overhead_us = 1, .bandwidth_gbs = 1, .link_gbs = 2.5});
  EXPECT_EQ(found(three, {flow(4, 0, 0, 2), flow(5, 1, 0, 2), flow(8, 2, 0, 2)}),
            "contention: 3 messages at once on the down link of node 0 ask for 3 GB/s of 2.5 GB/s");
}

// Two messages in each direction need 4 GB/s of a node's two links together.
TEST(Contention, BothWaysTogetherWhereTheMachineSaysSo) {
  Machine m = two_nodes();
  const std::vector<Transfer> both = {flow(0, 8, 0, 2), flow(1, 9, 0, 2), flow(10, 2, 0, 2), flow(11, 3, 0, 2)};
  EXPECT_EQ(found(m, both), "");
  level_of(m, "System - Cluster").duplex_bandwidth = gigabytes_per_s(4);
  EXPECT_EQ(found(m, both), "");
  level_of(m, "System - Cluster").duplex_bandwidth = gigabytes_per_s(3.5);
  EXPECT_EQ(found(m, both),
            "contention: 4 messages at once on the up and down link of node 1 ask for 4 GB/s of 3.5 GB/s");
}

// The bandwidth that a message needs depends on its size: 2 GB/s from 500 B on.
TEST(Contention, MessagesAskForWhatTheirSizeGets) {
  Machine m = two_nodes();
  level_of(m, "System - Cluster").segments = {segment(500, {.latency_us = 1, .overhead_us = 1, .bandwidth_gbs = 2})};
  std::vector<Transfer> transfers = {flow(0, 8, 0, 2), flow(4, 12, 0, 2)};
  transfers[0].bytes = transfers[1].bytes = 499;
  EXPECT_EQ(found(m, transfers), "");
  transfers[0].bytes = 500;
  EXPECT_EQ(found(m, transfers),
            "contention: 1 messages at once on the up link of core 0 of node 0 ask for 2 GB/s of 1.5 GB/s");
}

TEST(Contention, MessagesOfANodeLeaveAGapApart) {
  Machine m = two_nodes();
  level_of(m, "System - Cluster").gap = microseconds(0.5);
  const auto crowded = [&](const std::vector<Transfer>& transfers) {
    const MessageCosts costs(m);
    const auto card = find_crowded_card(costs, place(*m.topology, m.topology->num_cores(0)), transfers);
    return card ? describe(*card) : "";
  };
  const auto begins = [](int from, int to, double start_us) {
    return Transfer{.from = from, .to = to, .start_s = start_us * 1e-6, .flow_s = 0, .arrival_s = 0};
  };
  EXPECT_EQ(crowded({begins(0, 8, 0), begins(1, 9, 0.5), begins(10, 2, 0.1), begins(0, 1, 0.1)}), "");
  EXPECT_EQ(crowded({begins(0, 8, 0), begins(1, 9, 0.6), begins(8, 2, 0.7), begins(9, 2, 0.8)}),
            "gap: two messages leave node 1 within 0.1 us, its network card takes 0.5 us for each");
}

TEST(Contention, OnlyWhatFlowsAtTheSameTimeCounts) {
  const Machine m = two_nodes();
  EXPECT_EQ(found(m, {flow(0, 8, 0, 1), flow(1, 9, 0, 1), flow(4, 12, 1, 2)}), "");
  EXPECT_NE(found(m, {flow(0, 8, 0, 1), flow(1, 9, 0, 1), flow(4, 12, 0.99, 2)}), "");
  // Times that differ only by rounding do not overlap.
  EXPECT_EQ(found(m, {flow(0, 8, 0, 0.1 + 0.2), flow(1, 9, 0, 0.1 + 0.2), flow(4, 12, 0.3, 2)}), "");
}

TEST(Contention, MessagesMeetBelowTheNodesLink) {
  const Machine m = two_nodes();
  // Messages between the packages of a node do not use the node's link. Three of them fit the 3 GB/s of a package's
  // link, four do not.
  EXPECT_EQ(found(m, {flow(0, 4, 0, 1), flow(1, 5, 0, 1), flow(2, 6, 0, 1)}), "");
  EXPECT_EQ(found(m, {flow(0, 4, 0, 1), flow(1, 5, 0, 1), flow(2, 6, 0, 1), flow(3, 7, 0, 1)}),
            "contention: 4 messages at once on the up link of Package 0 of node 0 ask for 4 GB/s of 3 GB/s");
  // Two messages to one core.
  EXPECT_EQ(found(m, {flow(9, 11, 0, 1), flow(10, 11, 0, 1)}),
            "contention: 2 messages at once on the down link of core 3 of node 1 ask for 2 GB/s of 1.5 GB/s");
}

TEST(Contention, TheWorstLinkIsTold) {
  const Machine m = two_nodes();
  // Node: 3 of 2.5 GB/s = 1.2; core 0: 3 of 1.5 GB/s = 2.
  EXPECT_EQ(found(m, {flow(0, 8, 0, 2), flow(0, 9, 0, 2), flow(0, 12, 0, 2)}),
            "contention: 3 messages at once on the up link of core 0 of node 0 ask for 3 GB/s of 1.5 GB/s");
}

TEST(Contention, WhatIsExactlyCarriedIsNoContention) {
  const Machine m = uniform_machine("node:2 pack:1 core:12 pu:1",
                                    {.latency_us = 1, .overhead_us = 1, .bandwidth_gbs = 0.1, .link_gbs = 1.1});
  const MessageCosts costs(m);
  const std::vector<Binding> ranks = place(*m.topology, 24);
  std::vector<Transfer> transfers;
  for (int i = 0; i < 11; ++i) transfers.push_back(flow(i, 12 + i, 0, 1));  // 11 * 0.1 differs from 1.1 in binary
  EXPECT_FALSE(find_contention(costs, ranks, transfers).has_value());
  transfers.push_back(flow(11, 23, 0, 1));
  const auto contention = find_contention(costs, ranks, transfers);
  ASSERT_TRUE(contention.has_value());
  EXPECT_EQ(contention->messages, 12);
  EXPECT_NEAR(contention->demand_bytes_per_s / contention->link.capacity_bytes_per_s, 12.0 / 11, 1e-12);
}

// Links exist only where the tree branches. In a node with one package nothing is shared between the Machine object and
// the cores, so there is no link for the package.
TEST(Contention, ChainsOfSingleChildrenHaveOneLink) {
  Machine m = uniform_machine("node:2 pack:1 core:4 pu:1");
  const MessageCosts costs(m);
  const Topology& t = *m.topology;
  int links = 0;
  for (int v = 0; v < t.num_vertices(); ++v) links += costs.link_bandwidth(v) > 0 ? 1 : 0;
  EXPECT_EQ(links, 2 + 2 * 4);  // nodes and cores
  EXPECT_GT(costs.link_bandwidth(t.node_vertex(0)), 0);
}

TEST(Contention, ACoreCopiesOneMessageToItselfAtATime) {
  const Machine m = uniform_machine("pack:1 core:2 pu:1");  // copy_bandwidth 2 GB/s
  const MessageCosts costs(m);
  const std::vector<Binding> ranks =
      place(*m.topology, 6, {.map_by = "core", .bind_to = "core", .oversubscribe = true});
  EXPECT_FALSE(find_contention(costs, ranks, {flow(0, 2, 0, 1)}).has_value());
  const auto contention = find_contention(costs, ranks, {flow(0, 2, 0, 1), flow(0, 4, 0, 1)});
  ASSERT_TRUE(contention.has_value());
  EXPECT_EQ(describe(*contention, m),
            "contention: 2 messages at once on the loopback of core 0 of node 0 ask for 4 GB/s of 2 GB/s");
}

TEST(Contention, SwitchesAreNamedAndNumbered) {
  Machine m = uniform_machine("leaf:2 node:2 pack:1 core:4 pu:1");
  set_costs(m, "System - Cluster", {.latency_us = 1, .overhead_us = 1, .bandwidth_gbs = 1, .link_gbs = 1});
  EXPECT_EQ(found(m, {flow(8, 0, 0, 1), flow(12, 4, 0, 1)}),
            "contention: 2 messages at once on the up link of leaf 1 ask for 2 GB/s of 1 GB/s");
}

// Rank 0 sends 1000 B (on the wire) to each of the 15 others. All 15 messages leave core 0 (1.5 GB/s: 10 us), 12 its
// package (4 us), 8 the node (3.2 us).
TEST(Contention, TheBusiestLinkBoundsTheTime) {
  const Machine m = two_nodes();
  const MessageCosts costs(m);
  const std::vector<Binding> ranks = place(*m.topology, 16);
  Schedule s(16);
  EXPECT_FALSE(busiest_link(costs, ranks, s).has_value());
  for (int to = 1; to < 16; ++to) message(s, 0, to, 984);
  const auto load = busiest_link(costs, ranks, s);
  ASSERT_TRUE(load.has_value());
  EXPECT_EQ(describe(load->link, m), "up link of core 0 of node 0");
  EXPECT_EQ(load->messages, 15);
  EXPECT_DOUBLE_EQ(load->bytes, 15000);
  EXPECT_DOUBLE_EQ(load->seconds(), 10e-6);
  // Each core of node 0 sends to the same core of node 1: 8 messages on the node's link of 2.5 GB/s, one on each
  // core's.
  Schedule across(16);
  for (int r = 0; r < 8; ++r) message(across, r, r + 8, 984);
  EXPECT_EQ(describe(busiest_link(costs, ranks, across)->link, m), "up link of node 0");
  EXPECT_DOUBLE_EQ(busiest_link(costs, ranks, across)->seconds(), 3.2e-6);
}

// Compares the sweep with the obvious search: at every start of a flow, sum for every link what all messages in flight
// need.
TEST(Contention, FindsWhatTheObviousSearchFinds) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const Machine m = two_nodes();
  const MessageCosts costs(m);
  const Topology& t = *m.topology;
  const std::vector<Binding> ranks = place(t, 16);
  const auto takes = [&](const Transfer& x, int end, int v) {
    const int core = ranks[end].core;
    const bool below_meeting = v > t.lowest_common_ancestor(ranks[x.from].core, ranks[x.to].core);
    return below_meeting && v <= core && core < t.subtree_end(v) && costs.link_bandwidth(v) > 0;
  };
  int contended = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Transfer> transfers;
    for (int n = pick(1, 12); n > 0; --n) {
      const int from = pick(0, 15), begin = pick(0, 20);
      transfers.push_back(flow(from, (from + pick(1, 15)) % 16, begin, begin + pick(1, 10)));
    }
    double worst = 0;
    for (const Transfer& moment : transfers) {
      for (int v = 0; v < t.num_vertices(); ++v) {
        if (costs.link_bandwidth(v) == 0) continue;
        double up = 0, down = 0;
        for (const Transfer& x : transfers) {
          if (moment.flow_s < x.flow_s || moment.flow_s >= x.arrival_s) continue;
          if (takes(x, x.from, v)) up += 1e9;
          if (takes(x, x.to, v)) down += 1e9;
        }
        worst = std::max({worst, up / costs.link_bandwidth(v), down / costs.link_bandwidth(v)});
      }
    }
    const auto contention = find_contention(costs, ranks, transfers);
    ASSERT_EQ(contention.has_value(), worst > 1) << "trial " << trial;
    if (!contention) continue;
    ++contended;
    EXPECT_NEAR(contention->demand_bytes_per_s / contention->link.capacity_bytes_per_s, worst, 1e-6)
        << "trial " << trial;
  }
  EXPECT_GT(contended, 30);
  EXPECT_LT(contended, 290);
}

}  // namespace
}  // namespace strata::models
