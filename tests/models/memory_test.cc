// SPDX-License-Identifier: LGPL-2.1-only
// Memory shared by cores: the closed forms with numbers, the bandwidth that messages and combinations get, and
// predictions that do not hold when the memory is full.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "models/memory_uses.h"
#include "models/message_cost.h"
#include "models/prediction.h"
#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

using ::testing::HasSubstr;

constexpr double kGB = 1e9;
constexpr double kLarge = 64e6;  // B: more than any cache here

// Two nodes of two NUMA nodes of six cores. A core copies at 8 GB/s and combines at 5 GB/s; a memory carries 20 GB/s of
// copies or 24 GB/s of combinations. A message gets 6 GB/s within a node and 4 GB/s between nodes; links are not a
// limit.
Machine machine(const std::string& inside = "core:6 pu:1") {
  Machine m = uniform_machine("node:2 pack:2 [numa] " + inside);
  for (LevelCosts& c : m.levels) {
    const bool between = c.level == "System - Cluster";
    set_costs(m, c.level,
              {.latency_us = 1, .overhead_us = 0.5, .bandwidth_gbs = between ? 4.0 : 6.0, .link_gbs = 1000});
  }
  m.copy_bandwidth = gigabytes_per_s(8);
  m.stated_combine_bandwidth = gigabytes_per_s(5);
  m.eager_limit.si = 4096;
  m.core_speed.si = 2e9;
  m.memory.emplace().bandwidth = gigabytes_per_s(20);
  m.memory->stated_combine_bandwidth = gigabytes_per_s(24);
  return m;
}

TEST(Memory, RatesGrowUntilItIsFull) {
  const Machine m = machine();
  EXPECT_DOUBLE_EQ(copy_rate(m, 1).value, 8 * kGB);
  EXPECT_DOUBLE_EQ(copy_rate(m, 2).value, 5 * kGB);
  EXPECT_DOUBLE_EQ(copy_rate(m, 6).value, 20 * kGB / 12);
  EXPECT_DOUBLE_EQ(combine_rate(m, 1).value, 5 * kGB);
  EXPECT_DOUBLE_EQ(combine_rate(m, 2).value, 4 * kGB);
  EXPECT_DOUBLE_EQ(stream_rate(m, 1).value, 15 * kGB);
  EXPECT_DOUBLE_EQ(stream_rate(m, 4).value, 6 * kGB);
}

TEST(Memory, Roofline) {
  const Machine m = machine();
  EXPECT_DOUBLE_EQ(roofline_time(m, 1, 2e6, Bytes(15e6)).value, 1e-3);   // both
  EXPECT_DOUBLE_EQ(roofline_time(m, 1, 4e6, Bytes(15e6)).value, 2e-3);   // arithmetic
  EXPECT_DOUBLE_EQ(roofline_time(m, 1, 4e6, Bytes(60e6)).value, 4e-3);   // the core's bandwidth
  EXPECT_DOUBLE_EQ(roofline_time(m, 6, 4e6, Bytes(60e6)).value, 15e-3);  // a sixth of the memory's bandwidth
}

// Bandwidths as STREAM counts them: of every 4 bytes that the triad moves it counts 3.
TEST(Memory, SaturationCurve) {
  const std::vector<SaturationPoint> curve = saturation_curve(machine());
  ASSERT_EQ(curve.size(), 6u);
  EXPECT_EQ(curve[0].cores, 1);
  EXPECT_DOUBLE_EQ(curve[0].copy.value, 16 * kGB);
  EXPECT_DOUBLE_EQ(curve[0].combine.value, 15 * kGB);
  EXPECT_DOUBLE_EQ(curve[0].triad.value, 11.25 * kGB);
  EXPECT_EQ(curve[5].cores, 6);
  EXPECT_DOUBLE_EQ(curve[5].copy.value, 20 * kGB);
  EXPECT_DOUBLE_EQ(curve[5].combine.value, 24 * kGB);
  EXPECT_DOUBLE_EQ(curve[5].triad.value, 18 * kGB);
}

double alone(const Machine& m, int a, int b, double bytes, const std::vector<Binding>& ranks = {}) {
  const MessageCosts costs(m, ranks);
  return costs.between(m.topology->cores()[a], m.topology->cores()[b], bytes).bandwidth_bytes_per_s / kGB;
}

TEST(Memory, AMessageAloneGetsWhatItHasRoomFor) {
  Machine m = machine();
  EXPECT_DOUBLE_EQ(alone(m, 0, 1, kLarge), 6);
  m.memory->bandwidth = gigabytes_per_s(10);
  EXPECT_DOUBLE_EQ(alone(m, 0, 1, kLarge), 5);   // reads and writes one memory
  EXPECT_DOUBLE_EQ(alone(m, 0, 6, kLarge), 6);   // reads one memory, writes another
  EXPECT_DOUBLE_EQ(alone(m, 0, 1, 4095), 6);     // eager
  EXPECT_DOUBLE_EQ(alone(m, 0, 12, kLarge), 4);  // between nodes
  m.memory->bandwidth = gigabytes_per_s(3);
  EXPECT_DOUBLE_EQ(alone(m, 0, 12, kLarge), 3);
  m = machine();
  m.copy_bandwidth = gigabytes_per_s(5);
  EXPECT_DOUBLE_EQ(alone(m, 0, 1, kLarge), 5);   // limited by the receiver's core
  EXPECT_DOUBLE_EQ(alone(m, 0, 12, kLarge), 4);  // no core copies it
}

// A message stays in a cache of 6 MB if both of its copies fit there, for each of its ends. A combination has two
// operands.
TEST(Memory, WhatStaysInTheCacheLoadsNone) {
  Machine m = machine("l3:1(size=6000000) core:6 pu:1");
  m.memory->bandwidth = gigabytes_per_s(10);
  m.copy_bandwidth = gigabytes_per_s(5.5);
  EXPECT_DOUBLE_EQ(alone(m, 0, 1, 1'500'000), 6);
  EXPECT_DOUBLE_EQ(alone(m, 0, 1, 1'500'001), 5);
  EXPECT_DOUBLE_EQ(alone(m, 0, 6, 3'000'000), 6);    // in two caches
  EXPECT_DOUBLE_EQ(alone(m, 0, 6, 3'000'001), 5.5);  // loads both memories, and its receiver's core copies it
  const MessageCosts costs(m);
  const int core = m.topology->cores()[0];
  EXPECT_DOUBLE_EQ(costs.combine_s(core, 3'000'000), 3'000'000 / 5e9);
  m.memory->cache_bandwidth = gigabytes_per_s(30);
  EXPECT_DOUBLE_EQ(MessageCosts(m).combine_s(core, 3'000'000), 3'000'000 / 10e9);
  EXPECT_DOUBLE_EQ(MessageCosts(m).combine_s(core, 3'000'001), 3'000'001 / 5e9);
}

// Copies get the stated bandwidth together, and combinations 1.5 times as much.
TEST(Memory, ACacheMayHaveABandwidthThatItsCoresShare) {
  Machine m = machine("l3:1(size=6000000) core:6 pu:1");
  m.memory->bandwidth = gigabytes_per_s(10);
  m.memory->shared_cache_bandwidth = gigabytes_per_s(10);
  m.stated_combine_bandwidth = gigabytes_per_s(6);
  EXPECT_DOUBLE_EQ(alone(m, 0, 1, 1'500'000), 5);   // reads and writes one cache
  EXPECT_DOUBLE_EQ(alone(m, 0, 6, 3'000'000), 6);   // two caches
  EXPECT_DOUBLE_EQ(alone(m, 0, 12, 3'000'000), 4);  // of two nodes
  m.memory->shared_cache_bandwidth = gigabytes_per_s(3);
  EXPECT_DOUBLE_EQ(alone(m, 0, 6, 3'000'000), 3);
  EXPECT_DOUBLE_EQ(alone(m, 0, 12, 3'000'000), 3);
  EXPECT_DOUBLE_EQ(alone(m, 0, 12, 3'000'001), 4);  // in memory
  const int core = m.topology->cores()[0];
  m.memory->shared_cache_bandwidth = gigabytes_per_s(10);  // so 15 for combinations
  EXPECT_DOUBLE_EQ(MessageCosts(m).combine_s(core, 3'000'000), 3'000'000 / 5e9);
  m.memory->shared_cache_bandwidth = gigabytes_per_s(20);
  EXPECT_DOUBLE_EQ(MessageCosts(m).combine_s(core, 3'000'000), 3'000'000 / 6e9);
}

// LogGP's prediction for messages that all start at once.
Prediction sends(const Machine& m, const std::vector<std::pair<int, int>>& messages, double bytes) {
  const std::vector<Binding> ranks = place(*m.topology, 24);
  Schedule s(ranks.size());
  for (const auto& [from, to] : messages) s[to].push_back({Operation::Kind::kPostReceive, from, bytes});
  for (const auto& [from, to] : messages) s[from].push_back({Operation::Kind::kSend, to, bytes});
  for (const auto& [from, to] : messages) s[to].push_back({Operation::Kind::kWaitReceive, from, bytes});
  return predict_loggp(m, ranks, s);
}

// With one sender, its messages share the memory; with several the model does not hold.
TEST(Memory, IsALinkThatContends) {
  const Machine m = machine();
  EXPECT_EQ(sends(m, {{0, 1}}, kLarge).outside, "");
  EXPECT_EQ(sends(m, {{0, 1}, {2, 3}}, kLarge).outside,
            "contention: 2 messages and combinations at once on the memory of node 0, NUMANode 0 ask for 24 GB/s of 20 "
            "GB/s");
  EXPECT_EQ(sends(m, {{0, 1}, {6, 7}}, kLarge).outside, "");  // in two memories
  EXPECT_EQ(sends(m, {{0, 1}, {2, 3}}, 4000).outside, "");    // eager
  EXPECT_THAT(sends(m, {{0, 7}, {1, 7}}, kLarge).outside, HasSubstr("on the core 7 of node 0 ask for 12 GB/s of 8"));
}

// Two messages of 1 MB need 2 MB of the cache on each of four cores. It depends on when they come which of them lose
// their place, so no prediction is made.
TEST(Memory, MessagesThatNeedACacheAtOnceAreOutside) {
  Machine m = machine("l3:1(size=6000000) core:6 pu:1");
  m.memory->bandwidth = gigabytes_per_s(1000);
  EXPECT_EQ(sends(m, {{0, 1}}, 1e6).outside, "");
  EXPECT_EQ(sends(m, {{0, 1}, {2, 3}}, 7.5e5).outside, "");
  EXPECT_EQ(sends(m, {{0, 1}, {2, 3}}, 1e6).outside, "cache: 4 cores at once need 8 MB of 6 MB of the L3 0 of node 0");
  EXPECT_EQ(sends(m, {{0, 1}, {6, 7}}, 1e6).outside, "");     // in two caches
  EXPECT_EQ(sends(m, {{0, 1}, {2, 3}}, kLarge).outside, "");  // in none
  EXPECT_EQ(sends(m, {{0, 1}, {2, 3}}, 5e5).outside, "");     // all six cores could do so
}

TEST(Memory, CachesContend) {
  Machine m = machine("l3:1(size=6000000) core:6 pu:1");
  m.memory->shared_cache_bandwidth = gigabytes_per_s(20);
  EXPECT_EQ(sends(m, {{0, 1}}, 5e5).outside, "");
  EXPECT_EQ(sends(m, {{0, 1}, {6, 7}}, 5e5).outside, "");  // in two caches
  EXPECT_EQ(sends(m, {{0, 1}, {2, 3}}, 5e5).outside,
            "contention: 2 messages and combinations at once on the cache of node 0, L3 0 ask for 24 GB/s of 20 GB/s");
}

// Cores that share a memory and combine at the same time.
TEST(Memory, CombinationsContendToo) {
  const Machine m = machine();
  const std::vector<Binding> ranks = place(*m.topology, 24);
  const auto outside = [&](const std::vector<int>& at, double bytes) {
    Schedule s(ranks.size());
    for (const int r : at) combine(s, r, bytes);
    return predict_loggp(m, ranks, s).outside;
  };
  EXPECT_EQ(outside({0}, kLarge), "");
  EXPECT_THAT(
      outside({0, 1}, kLarge),
      HasSubstr("2 messages and combinations at once on the memory of node 0, NUMANode 0 ask for 25 GB/s of 20"));
  EXPECT_EQ(outside({0, 6}, kLarge), "");
  Machine none = m;
  none.memory.reset();
  Schedule s(ranks.size());
  combine(s, 0, kLarge);
  combine(s, 1, kLarge);
  EXPECT_EQ(predict_loggp(none, ranks, s).outside, "");
}

}  // namespace
}  // namespace strata::models
