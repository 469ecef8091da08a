// SPDX-License-Identifier: LGPL-2.1-only
// Costs of messages on a torus and a dragonfly, the links that they use, and contention on those links.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/contention.h"
#include "models/links_taken.h"
#include "models/max_rate.h"
#include "models/message_cost.h"
#include "models/prediction.h"
#include "tests/platforms/fabric_machines.h"

namespace strata::models {
namespace {

Machine machine(const std::string& yaml) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "fabric";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "machine.yaml") << yaml;
  std::ofstream(folder / "fabric.txt") << kSwitchesFile;
  return load_machine(folder / "machine.yaml");
}

// Core `core` of a node.
int core_vertex(const Machine& m, int node, int core) { return m.topology->cores()[4 * node + core]; }

Binding binding(const Machine& m, int node, int core) {
  const int v = core_vertex(m, node, core);
  return {.node = node, .cpuset = m.topology->object(v)->cpuset, .core = v};
}

std::vector<std::string> way(const MessageCosts& costs, int from, int to) {
  std::vector<std::string> links;
  for_each_link(costs, from, to, [&](const Link& l) { links.push_back(describe(l, costs.machine())); });
  return links;
}

// All pairs of nodes of the torus of 4 x 3 x 2 routers; the test computes the distance itself.
TEST(FabricCosts, EachHopAddsItsLatency) {
  const Machine m = machine(kTorusYaml);
  const MessageCosts costs(m);
  for (int a = 0; a < 48; ++a) {
    for (int b = 0; b < 48; ++b) {
      if (a == b) continue;
      const int dx = std::abs(a / 12 - b / 12), dy = std::abs(a / 4 % 3 - b / 4 % 3),
                dz = std::abs(a / 2 % 2 - b / 2 % 2);
      const int hops = std::min(dx, 4 - dx) + std::min(dy, 3 - dy) + dz;
      const MessageCost cost = costs.between(core_vertex(m, a, 1), core_vertex(m, b, 2), 0);
      ASSERT_NEAR(cost.latency_s, (hops == 0 ? 1.4e-6 : 1.5e-6) + hops * 1e-7, 1e-18) << a << " to " << b;
      ASSERT_DOUBLE_EQ(cost.overhead_s, 0.5e-6);
      ASSERT_DOUBLE_EQ(cost.bandwidth_bytes_per_s, 2e9);
    }
  }
  const MessageCost inside = costs.between(core_vertex(m, 5, 0), core_vertex(m, 5, 1), 0);
  EXPECT_DOUBLE_EQ(inside.latency_s, 0.7e-6);
}

TEST(FabricCosts, TheNarrowestLinkLimitsAMessage) {
  const Machine m = machine(with(kTorusYaml, "value: 3,", "value: 0.5,"));
  const MessageCosts costs(m);
  const int here = core_vertex(m, 0, 0);
  EXPECT_DOUBLE_EQ(costs.between(here, core_vertex(m, 12, 0), 0).bandwidth_bytes_per_s, 2e9);    // x
  EXPECT_DOUBLE_EQ(costs.between(here, core_vertex(m, 4, 0), 0).bandwidth_bytes_per_s, 0.5e9);   // y
  EXPECT_DOUBLE_EQ(costs.between(here, core_vertex(m, 17, 0), 0).bandwidth_bytes_per_s, 0.5e9);  // x and y
}

TEST(FabricLinks, LeadUpToTheNodeAcrossAndDown) {
  const Machine t = machine(kTorusYaml);
  const MessageCosts torus(t);
  EXPECT_EQ(
      way(torus, core_vertex(t, 0, 1), core_vertex(t, 18, 3)),
      (std::vector<std::string>{"up link of core 1 of node 0", "up link of node 0", "down link of core 3 of node 18",
                                "down link of node 18", "x+ link of router (0,0,0)", "y+ link of router (1,0,0)",
                                "z+ link of router (1,1,0)"}));
  EXPECT_EQ(way(torus, core_vertex(t, 0, 1), core_vertex(t, 1, 3)),
            (std::vector<std::string>{"up link of core 1 of node 0", "up link of node 0",
                                      "down link of core 3 of node 1", "down link of node 1"}));
  EXPECT_EQ(way(torus, core_vertex(t, 0, 1), core_vertex(t, 0, 0)).size(), 2u);
  const Machine d = machine(kDragonflyYaml);
  const MessageCosts dragonfly(d);
  EXPECT_EQ(
      way(dragonfly, core_vertex(d, 2, 0), core_vertex(d, 22, 0)),
      (std::vector<std::string>{
          "up link of core 0 of node 2", "up link of node 2", "down link of core 0 of node 22", "down link of node 22",
          "row link from router (0,0,1) to (0,0,0)", "global link 0 from router (0,0,0) to (1,0,0)",
          "row link from router (1,0,0) to (1,0,2)", "column link from router (1,0,2) to (1,1,2)"}));
}

TEST(FabricLinks, IndexesAreTheirOwn) {
  for (const std::string& yaml : {kTorusYaml, kDragonflyYaml, kFatTreeYaml, kSwitchesYaml}) {
    const Machine m = machine(yaml);
    const MessageCosts costs(m);
    std::set<std::pair<size_t, std::string>> links;
    std::set<size_t> indexes;
    const int cores = static_cast<int>(m.topology->cores().size());
    for (int a = 0; a < cores; a += 3) {
      for (int b = 0; b < cores; ++b) {
        for_each_link(costs, m.topology->cores()[a], m.topology->cores()[b], [&](const Link& l) {
          const size_t index = link_index(l, m);
          ASSERT_LT(index, num_link_indexes(m));
          indexes.insert(index);
          links.emplace(index, describe(l, m));
        });
      }
    }
    EXPECT_EQ(links.size(), indexes.size());
  }
}

// Eight messages from the cores of a router's two nodes share one link of 4.5 GB/s.
TEST(FabricContention, IsToldByItsLink) {
  const Machine m = machine(kTorusYaml);
  const MessageCosts costs(m);
  std::vector<Binding> ranks;
  for (const int first : {0, 12}) {  // routers (0,0,0) and (1,0,0)
    for (int i = 0; i < 8; ++i) ranks.push_back(binding(m, first + i % 2, i / 2));
  }
  const auto schedule = [](int messages) {
    Schedule s(16);
    for (int i = 0; i < messages; ++i) message(s, i, 8 + i, 1e6);
    return s;
  };
  EXPECT_EQ(predict_loggp(m, ranks, schedule(2)).outside, "");
  EXPECT_EQ(predict_loggp(m, ranks, schedule(3)).outside,
            "contention: 3 messages at once on the x+ link of router (0,0,0) ask for 6 GB/s of 4.5 GB/s");
  EXPECT_EQ(predict_loggp(m, ranks, schedule(8)).outside,
            "contention: 8 messages at once on the x+ link of router (0,0,0) ask for 16 GB/s of 4.5 GB/s");
  EXPECT_NEAR(predict_loggp(m, ranks, schedule(2)).time.value, 1.6e-6 + 1'000'016 / 2e9, 1e-15);
  const Explanation why = explain(m, ranks, schedule(8), CostModel::kLogGP);
  EXPECT_EQ(why.busiest_link, "x+ link of router (0,0,0)");
  EXPECT_EQ(why.link_messages, 8);
  EXPECT_NEAR(why.link_time.value, 8 * 1'000'016 / 4.5e9, 1e-15);
}

// Messages take both corners: each link carries half of every message, so twice as many messages fit.
TEST(FabricContention, SpreadMessagesHaveAPartOnEachLink) {
  const Machine m = machine(routed(kTorusYaml, "spread"));
  const MessageCosts costs(m);
  std::vector<Binding> ranks;
  for (const int first : {0, 16}) {  // routers (0,0,0) and (1,1,0)
    for (int i = 0; i < 8; ++i) ranks.push_back(binding(m, first + i % 2, i / 2));
  }
  std::map<std::string, double> parts;
  for_each_link(costs, ranks[0].core, ranks[8].core, [&](const Link& l) { parts[describe(l, m)] = l.weight; });
  EXPECT_EQ(parts.size(), 8u);
  EXPECT_EQ(parts["up link of node 0"], 1);
  EXPECT_EQ(parts["x+ link of router (0,0,0)"], 0.5);
  EXPECT_EQ(parts["y+ link of router (1,0,0)"], 0.5);
  EXPECT_EQ(parts["y+ link of router (0,0,0)"], 0.5);
  EXPECT_EQ(parts["x+ link of router (0,1,0)"], 0.5);
  EXPECT_DOUBLE_EQ(costs.between(ranks[0].core, ranks[8].core, 0).latency_s, 1.7e-6);
  const auto schedule = [](int messages) {
    Schedule s(16);
    for (int i = 0; i < messages; ++i) message(s, i, 8 + i, 1e6);
    return s;
  };
  EXPECT_EQ(predict_loggp(m, ranks, schedule(3)).outside, "");
  EXPECT_EQ(predict_loggp(m, ranks, schedule(4)).outside,
            "contention: 4 messages at once on the y+ link of router (0,0,0) ask for 4 GB/s of 3 GB/s");
  const Explanation why = explain(m, ranks, schedule(8), CostModel::kLogGP);
  EXPECT_EQ(why.link_messages, 8);
  EXPECT_NEAR(why.link_time.value, 4 * 1'000'016 / 3e9, 1e-15);
  // Eight messages of one size: each y link carries half of each, 8 / 2 messages.
  Exchange exchange{.messages = {}, .bytes = 1e6, .times = 1};
  for (int i = 0; i < 8; ++i) exchange.messages.push_back({i, 8 + i});
  const ExchangeBounds b = bound_exchange(costs, ranks, exchange);
  EXPECT_EQ(describe(*b.busiest, m), "y+ link of router (0,0,0)");
  EXPECT_NEAR(b.busy.value, 4 * 1'000'016 / 3e9, 1e-15);
  EXPECT_NEAR(b.least.value, 1.7e-6 + 4 * 1'000'016 / 3e9, 1e-15);
  EXPECT_NEAR(b.most.value, b.least.value, 1e-15);
}

// A link limits only the part of a message that it carries: two links of 0.5 GB/s give a message 1 GB/s.
TEST(FabricCosts, ASpreadMessageGetsWhatItsWaysCarryTogether) {
  const Machine m = machine(routed(with(kTorusYaml, "value: 4.5,", "value: 0.5,"), "spread"));
  const MessageCosts costs(m);
  EXPECT_DOUBLE_EQ(costs.between(core_vertex(m, 0, 0), core_vertex(m, 12, 0), 0).bandwidth_bytes_per_s, 0.5e9);
  EXPECT_DOUBLE_EQ(costs.between(core_vertex(m, 0, 0), core_vertex(m, 16, 0), 0).bandwidth_bytes_per_s, 1e9);
}

// The models assume minimal routes, and report where that assumption does not hold.
TEST(FabricRouting, AdaptiveIsOutsideTheModels) {
  const Machine m = machine(routed(kDragonflyYaml, "adaptive"));
  const std::vector<Binding> ranks = {binding(m, 0, 0), binding(m, 1, 0), binding(m, 12, 0)};
  const char* why = "routing: messages between routers may go around, by what else is under way when they start";
  Schedule s(3);
  message(s, 0, 1, 1e6);
  EXPECT_EQ(predict_loggp(m, ranks, s).outside, "") << "of one router";
  message(s, 0, 2, 1e6);
  EXPECT_EQ(predict_loggp(m, ranks, s).outside, why);
  const Exchange exchange{.messages = {{0, 2}}, .bytes = 1e6, .times = 1};
  const Prediction p = predict_max_rate(m, ranks, exchange, 0.01);
  EXPECT_EQ(p.outside, why);
  EXPECT_FALSE(p.bounds);
}

// A link slower than the level of a message slows the message down. With a single message this is not contention.
TEST(FabricContention, AMessageAloneOnANarrowLinkIsNone) {
  const Machine m = machine(with(kTorusYaml, "value: 4.5,", "value: 1,"));
  const std::vector<Binding> ranks = {binding(m, 0, 0), binding(m, 12, 0)};
  Schedule s(2);
  message(s, 0, 1, 1e6);
  const Prediction p = predict_loggp(m, ranks, s);
  EXPECT_EQ(p.outside, "");
  EXPECT_NEAR(p.time.value, 1.6e-6 + 1'000'016 / 1e9, 1e-15);
}

}  // namespace
}  // namespace strata::models
