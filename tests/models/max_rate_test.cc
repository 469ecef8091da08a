// SPDX-License-Identifier: LGPL-2.1-only
// The closed form worked out by hand, and the bounds of an exchange compared with a simulation of its flows.
#include "models/max_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

#include "models/schedule_time.h"
#include "platforms/payload.h"
#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

constexpr double kUs = 1e-6;

// R_C = 1 GB/s, R_N = 2.5 GB/s: 12 messages of 1,250 B are 15,000 B, which take 6 us at R_N.
TEST(MaxRate, IsTheProcessRateUntilTheNodesIsReached) {
  const MaxRateCost cost{.latency = Seconds(2 * kUs), .process = BytesPerSecond(1e9), .node = BytesPerSecond(2.5e9)};
  EXPECT_NEAR(max_rate_time(cost, 1, Bytes(1250)).value, 3.25 * kUs, 1e-18);
  EXPECT_NEAR(max_rate_time(cost, 2, Bytes(1250)).value, 3.25 * kUs, 1e-18);
  EXPECT_NEAR(max_rate_time(cost, 3, Bytes(1250)).value, 3.5 * kUs, 1e-18);
  EXPECT_NEAR(max_rate_time(cost, 12, Bytes(1250)).value, 8 * kUs, 1e-18);
  EXPECT_THROW(max_rate_time(cost, 0, Bytes(1)), std::invalid_argument);
}

// Two nodes of two packages of four cores. A message between nodes gets 1 GB/s of a node's link of 2.5 GB/s.
Machine two_nodes(double package_gbs = 1000) {
  Machine machine = uniform_machine("node:2 pack:2 core:4 pu:1");
  set_costs(machine, "System - Cluster", {.latency_us = 2, .overhead_us = 0.5, .bandwidth_gbs = 1, .link_gbs = 2.5});
  set_costs(machine, "NUMANode", {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 2, .link_gbs = package_gbs});
  set_costs(machine, "Package", {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 2, .link_gbs = 1000});
  return machine;
}

std::vector<Binding> all_ranks(const Machine& machine) {
  return place(*machine.topology, machine.topology->num_cores(0));
}

Exchange pairs(int k, double bytes) {
  Exchange e{.messages = {}, .bytes = bytes, .times = 1};
  for (int i = 0; i < k; ++i) e.messages.push_back({i, 8 + i});
  return e;
}

TEST(MaxRate, OfPairsIsTheClosedFormWhicheverWayTheyAreSent) {
  const Machine m = two_nodes();
  for (int k = 1; k <= 8; ++k) {
    const Prediction p = predict_max_rate(m, all_ranks(m), pairs(k, 4984), 1e-9);
    EXPECT_EQ(p.outside, "") << k;
    EXPECT_NEAR(p.time.value, (2 + std::max(5.0, k * 2.0)) * kUs, 1e-15) << k;
  }
  // From eight nodes into one: its down link decides.
  const Machine three = [] {
    Machine machine = uniform_machine("node:9 core:8 pu:1");
    set_costs(machine, "System - Cluster", {.latency_us = 2, .overhead_us = 0.5, .bandwidth_gbs = 1, .link_gbs = 2.5});
    return machine;
  }();
  Exchange in{.messages = {}, .bytes = 4984, .times = 1};
  for (int i = 0; i < 8; ++i) in.messages.push_back({8 * (i + 1), i});
  const Prediction p = predict_max_rate(three, all_ranks(three), in, 1e-9);
  EXPECT_EQ(p.outside, "");
  EXPECT_NEAR(p.time.value, 18 * kUs, 1e-15);
}

// 8 messages of 5,000 B in each direction between two nodes: 16 us at 2.5 GB/s, or 20 us if both directions together
// have 4 GB/s.
TEST(MaxRate, BothWaysOfANodesLinkTogether) {
  Machine m = two_nodes();
  Exchange e = pairs(8, 4984);
  for (int i = 0; i < 8; ++i) e.messages.push_back({8 + i, i});
  EXPECT_NEAR(predict_max_rate(m, all_ranks(m), e, 1e-9).time.value, 18 * kUs, 1e-15);
  level_of(m, "System - Cluster").duplex_bandwidth = gigabytes_per_s(4);
  const Prediction p = predict_max_rate(m, all_ranks(m), e, 1e-9);
  EXPECT_EQ(p.outside, "");
  EXPECT_NEAR(p.time.value, 22 * kUs, 1e-15);
  EXPECT_NEAR(predict_max_rate(m, all_ranks(m), pairs(8, 4984), 1e-9).time.value, 18 * kUs, 1e-15);  // one way
}

// 24 B are 40 B on the wire, which take 0.04 us at 1 GB/s: (k - 1) g decides.
TEST(MaxRate, GapsBetweenTheMessagesOfANode) {
  const MaxRateCost cost{.latency = Seconds(2 * kUs), .process = BytesPerSecond(1e9), .node = BytesPerSecond(2.5e9)};
  EXPECT_NEAR(gap_time(cost, Seconds(0.5 * kUs), 1, Bytes(40)).value, 2.04 * kUs, 1e-18);
  EXPECT_NEAR(gap_time(cost, Seconds(0.5 * kUs), 8, Bytes(40)).value, 5.54 * kUs, 1e-18);
  EXPECT_THROW(gap_time(cost, Seconds(0), 0, Bytes(1)), std::invalid_argument);
  Machine m = two_nodes();
  level_of(m, "System - Cluster").gap = microseconds(0.5);
  for (int k = 1; k <= 8; ++k) {
    const Prediction p = predict_max_rate(m, all_ranks(m), pairs(k, 24), 0.1);
    EXPECT_EQ(p.outside, "") << k;
    EXPECT_NEAR(p.time.value, (2.04 + 0.5 * (k - 1)) * kUs, 1e-15) << k;
    EXPECT_LE(p.bounds->least.value, p.time.value * (1 + 1e-9));
    EXPECT_GE(p.bounds->most.value, p.time.value * (1 - 1e-9));
  }
}

TEST(MaxRate, SaysWhichLinkIsBusierThanTheNodes) {
  // Eight messages of 5,000 B take 16 us on the node's link; four of them take 20 us on a package's link of 1 GB/s.
  const Machine narrow = two_nodes(2);
  EXPECT_EQ(predict_max_rate(narrow, all_ranks(narrow), pairs(8, 4984), 0.01).outside, "");  // 10 us on a package's
  Machine narrower = two_nodes(2);
  set_costs(narrower, "NUMANode", {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 1, .link_gbs = 1});
  EXPECT_EQ(predict_max_rate(narrower, all_ranks(narrower), pairs(8, 4984), 0.01).outside,
            "link: the 4 messages on the up link of Package 0 of node 0 take 20 us, the 8 of a node 16 us");
}

TEST(MaxRate, SaysWhereLatenciesDecide) {
  const Machine m = two_nodes();
  // Each of four ranks sends to two others; its second message starts an overhead later.
  Exchange e{.messages = {}, .bytes = 984, .times = 1};
  for (int i = 0; i < 4; ++i) {
    e.messages.push_back({i, 8 + i});
    e.messages.push_back({i, 12 + i});
  }
  // 8 messages of 1000 B take 3.2 us on the node's link of 2.5 GB/s, from 2 us on. The last message begins to flow at
  // 2.5 us.
  const Prediction p = predict_max_rate(m, all_ranks(m), e, 0.01);
  EXPECT_NEAR(p.time.value, 5.2 * kUs, 1e-15);
  EXPECT_EQ(p.outside, "latency: with latencies and overheads it takes from 5.2 us to 5.7 us");
  EXPECT_EQ(predict_max_rate(m, all_ranks(m), e, 0.1).outside, "");
}

TEST(MaxRate, IsOutsideWhereNothingLeavesOrEagerMessagesPileUp) {
  const Machine m = two_nodes();
  EXPECT_EQ(predict_max_rate(m, all_ranks(m), {.messages = {{0, 1}}, .bytes = 2000, .times = 1}, 0.01).outside,
            "no message leaves its node");
  Exchange e = pairs(2, 500);  // the eager limit is 1000 B
  EXPECT_EQ(predict_max_rate(m, all_ranks(m), e, 0.01).outside, "");
  e.times = 2;
  EXPECT_EQ(predict_max_rate(m, all_ranks(m), e, 0.01).outside,
            "eager: a sender of 500 B does not wait for its message, which may be on its way beside those of the next "
            "exchange");
}

// --- the bounds --------------------------------------------------------------------------------------------------

// A message that flows over links (by index and weight), limited by its bound.
struct Flow {
  std::vector<std::pair<size_t, double>> links;
  double bound, left;
};

// Max-min fair rates by definition: all rates grow together, and a flow stops at its bound or when one of its links is
// full.
std::vector<double> fair_rates(const std::vector<Flow*>& flows, const std::vector<double>& capacity) {
  std::vector<double> rates(flows.size(), 0);
  std::vector<bool> fixed(flows.size(), false);
  for (size_t left = flows.size(); left > 0;) {
    std::vector<double> room = capacity;
    std::vector<double> takers(capacity.size(), 0);  // their total weight
    for (size_t f = 0; f < flows.size(); ++f) {
      for (const auto& [l, weight] : flows[f]->links) (fixed[f] ? room[l] -= weight * rates[f] : takers[l] += weight);
    }
    double level = std::numeric_limits<double>::infinity();
    for (size_t l = 0; l < capacity.size(); ++l) {
      if (takers[l] > 0) level = std::min(level, room[l] / takers[l]);
    }
    for (size_t f = 0; f < flows.size(); ++f) {
      if (!fixed[f]) level = std::min(level, flows[f]->bound);
    }
    for (size_t f = 0; f < flows.size(); ++f) {
      if (fixed[f]) continue;
      bool full = flows[f]->bound <= level * (1 + 1e-12);
      for (const auto& [l, weight] : flows[f]->links) full = full || room[l] / takers[l] <= level * (1 + 1e-12);
      if (!full) continue;
      rates[f] = level;
      fixed[f] = true;
      --left;
    }
  }
  return rates;
}

// The mean time of an exchange, computed from event to event. A message of exchange s starts when its sender has begun
// s and prepared the messages before it, and its receiver has begun s. A process begins the next exchange when all
// messages that it sends and receives have arrived.
double simulate(const MessageCosts& costs, const std::vector<Binding>& ranks, const Exchange& e) {
  struct OnTheWay {
    double flows_s;
    Flow flow;
    double at_gate_s = 0;  // when its sender has prepared it, while it has a gate to pass
    bool started = false, waits = false;
  };
  std::vector<double> capacity(num_link_indexes(costs.machine()), std::numeric_limits<double>::infinity());
  std::vector<Flow> flows;
  std::vector<MessageCost> message_costs;
  std::vector<double> delay_s, prepared_s(ranks.size(), 0), open_s(costs.topology().num_nodes(), 0);
  for (const Message& m : e.messages) {
    const MessageCost c = costs.between(ranks[m.from].core, ranks[m.to].core, e.bytes);
    message_costs.push_back(c);
    Flow f{.links = {}, .bound = c.bandwidth_bytes_per_s, .left = e.bytes + kEnvelopeBytes};
    for_each_link(costs, ranks[m.from].core, ranks[m.to].core, [&](const Link& link) {
      f.links.push_back({link_index(link, costs.machine()), link.weight});
      capacity[link_index(link, costs.machine())] = link.capacity_bytes_per_s;
    });
    flows.push_back(f);
    delay_s.push_back(prepared_s[m.from] + c.latency_s);
    prepared_s[m.from] += c.overhead_s;
  }
  std::vector<int> exchange(ranks.size(), 0);  // the current exchange of a process
  std::vector<double> began_s(ranks.size(), 0);
  std::vector<OnTheWay> now(flows.size());
  std::vector<int> of(flows.size(), 0);  // the exchange of a message
  double t = 0;
  while (true) {
    for (size_t i = 0; i < flows.size(); ++i) {
      const Message& m = e.messages[i];
      if (now[i].started || of[i] >= e.times || exchange[m.from] != of[i] || exchange[m.to] != of[i]) continue;
      now[i] = {.flows_s = std::max(began_s[m.from] + delay_s[i], began_s[m.to]), .flow = flows[i], .started = true};
      if (message_costs[i].gap_s == 0) continue;
      now[i].waits = true;
      now[i].at_gate_s = std::max(t, now[i].flows_s - (message_costs[i].latency_s - message_costs[i].overhead_s));
      now[i].flows_s = std::numeric_limits<double>::infinity();
    }
    for (size_t i = 0; i < flows.size(); ++i) {
      if (!now[i].waits || now[i].at_gate_s > t) continue;
      double& open = open_s[ranks[e.messages[i].from].node];
      const double through_s = std::max(t, open);
      open = through_s + message_costs[i].gap_s;
      now[i].waits = false;
      now[i].flows_s = through_s + message_costs[i].latency_s - message_costs[i].overhead_s;
    }
    std::vector<Flow*> flowing;
    double next = std::numeric_limits<double>::infinity();
    for (OnTheWay& w : now) {
      if (!w.started) continue;
      if (w.waits) {
        next = std::min(next, w.at_gate_s);
      } else if (w.flows_s > t) {
        next = std::min(next, w.flows_s);
      } else {
        flowing.push_back(&w.flow);
      }
    }
    const std::vector<double> rates = fair_rates(flowing, capacity);
    for (size_t f = 0; f < flowing.size(); ++f) next = std::min(next, t + flowing[f]->left / rates[f]);
    if (!std::isfinite(next)) return t / e.times;
    for (size_t f = 0; f < flowing.size(); ++f) flowing[f]->left -= rates[f] * (next - t);
    t = next;
    for (size_t i = 0; i < flows.size(); ++i) {
      if (!now[i].started || now[i].flows_s > t || now[i].flow.left > 1e-6) continue;
      now[i] = {};
      ++of[i];
    }
    for (int r = 0; r < static_cast<int>(ranks.size()); ++r) {
      bool through = true, takes_part = false;
      for (size_t i = 0; i < flows.size(); ++i) {
        if (e.messages[i].from != r && e.messages[i].to != r) continue;
        takes_part = true;
        through = through && of[i] > exchange[r];
      }
      if (!takes_part || !through) continue;
      ++exchange[r];
      began_s[r] = t;
    }
  }
}

TEST(ExchangeBounds, HoldASimulationOfTheFlows) {
  constexpr unsigned kSeed = 20181;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const auto pick = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  const auto pick_int = [&](int low, int high) { return std::uniform_int_distribution<>(low, high)(random); };
  int exact = 0;
  for (int round = 0; round < 300; ++round) {
    Machine m = uniform_machine("node:3 pack:2 core:2 pu:1");
    for (const char* level : {"System - Cluster", "NUMANode", "Package"}) {
      const double latency = pick(0.5, 3), bandwidth = pick(0.5, 4);
      set_costs(m, level,
                {.latency_us = latency,
                 .overhead_us = pick(0, latency),
                 .bandwidth_gbs = bandwidth,
                 .link_gbs = bandwidth * pick(1, 4)});
      LevelCosts& c = level_of(m, level);
      if (round % 3 == 1) c.duplex_bandwidth = gigabytes_per_s(pick(bandwidth, 2 * c.link_bandwidth.si / 1e9));
      if (round % 3 == 2 && c.level == "System - Cluster") c.gap = microseconds(pick(0, 20));
    }
    const std::vector<Binding> ranks = all_ranks(m);
    Exchange e{.messages = {}, .bytes = std::pow(10, pick(3, 6)), .times = pick_int(1, 4)};
    std::set<std::pair<int, int>> between;
    for (int i = pick_int(1, 30); i > 0; --i) {
      const int from = pick_int(0, 11), to = pick_int(0, 11);
      if (from != to && between.emplace(from, to).second) e.messages.push_back({from, to});
    }
    if (e.messages.empty()) continue;
    const MessageCosts costs(m);
    const ExchangeBounds b = bound_exchange(costs, ranks, e);
    const double simulated = simulate(costs, ranks, e);
    EXPECT_GE(simulated, b.least.value * (1 - 1e-9)) << round;
    EXPECT_LE(simulated, b.most.value * (1 + 1e-9)) << round;
    const Prediction p = predict_max_rate(m, ranks, e, 0.03);
    if (!p.outside.empty()) continue;
    ++exact;
    EXPECT_NEAR(simulated, p.time.value, 0.03 * p.time.value) << round;
  }
  EXPECT_GT(exact, 30);  // otherwise the test would not cover the model
}

}  // namespace
}  // namespace strata::models
