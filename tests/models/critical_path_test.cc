// SPDX-License-Identifier: LGPL-2.1-only
// Critical paths: by hand, and for all schedules: the steps add up to the time, and each step is connected with the one
// before.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>

#include "models/collective.h"
#include "models/schedule_path.h"
#include "tests/models/random_schedule.h"
#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

constexpr double kLarge = 1'984;  // with the envelope 2000 B: 2 us at 1 GB/s; rendezvous
constexpr double kSmall = 84;     // 100 B: 0.1 us; eager

struct Path {
  std::vector<PathStep> steps;
  PathSummary summary;
  Timing timing;
};

Path path_of(const Machine& machine, const std::vector<Binding>& ranks, const Schedule& schedule, CostModel model) {
  const MessageCosts costs(machine);
  Path path{.steps = {}, .summary = {}, .timing = time_schedule(costs, ranks, schedule, model)};
  path.steps = critical_path(machine, schedule, path.timing, model);
  path.summary = summarize(costs, ranks, path.steps);
  return path;
}

CollectiveCase make(Collective collective, Algorithm algorithm, double bytes) {
  return {.collective = collective,
          .algorithm = algorithm,
          .root = 0,
          .payload = {.elements = 1, .element_bytes = bytes, .segment_bytes = 0}};
}

// A linear broadcast over 2 nodes of 2 packages of 2 cores: the root sends 7 messages one after the other, 4 of them to
// the other node.
TEST(CriticalPath, LinearBroadcastByLevel) {
  const Machine m = uniform_machine("node:2 pack:2 core:2 pu:1");
  const std::vector<Binding> ranks = place(*m.topology, 8);
  const CollectiveCase what = make(Collective::kBroadcast, Algorithm::kLinear, kLarge);
  const Path flat = path_of(m, ranks, flat_schedule(what, 8), CostModel::kHockney);
  ASSERT_EQ(flat.summary.levels.size(), 3U);
  EXPECT_EQ(flat.summary.levels[0].level, "System - Cluster");
  EXPECT_EQ(flat.summary.levels[0].messages, 4);
  EXPECT_NEAR(flat.summary.levels[0].seconds, 4 * 3e-6, 1e-17);
  EXPECT_EQ(flat.summary.levels[1].messages, 2);
  EXPECT_EQ(flat.summary.levels[2].messages, 1);
  EXPECT_EQ(flat.summary.messages, 7);
  EXPECT_EQ(flat.steps.front().to, 1);
  EXPECT_EQ(flat.steps.back().to, 7);
  // One message per level: RR-9077's 7/3.
  const Path levels =
      path_of(m, ranks, hierarchical_schedule(what, topological_hierarchy(*m.topology, ranks)), CostModel::kHockney);
  ASSERT_EQ(levels.summary.levels.size(), 3U);
  for (const LevelShare& l : levels.summary.levels) EXPECT_EQ(l.messages, 1);
  EXPECT_NEAR(flat.timing.completion / levels.timing.completion, 7.0 / 3, 1e-12);
}

// A chain of four ranks: three messages and three combinations of 1984 B at 2 GB/s.
TEST(CriticalPath, PipelinedReduceCombinesOnTheWay) {
  const Machine m = uniform_machine("node:4 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*m.topology, 4);
  const Path p =
      path_of(m, ranks, flat_schedule(make(Collective::kReduce, Algorithm::kPipeline, kLarge), 4), CostModel::kHockney);
  EXPECT_EQ(p.summary.messages, 3);
  EXPECT_NEAR(p.summary.combine_s, 3 * 0.992e-6, 1e-17);
  ASSERT_EQ(p.steps.size(), 6U);
  EXPECT_EQ(p.steps[0].from, 3);
  EXPECT_FALSE(p.steps[1].message);
  EXPECT_EQ(p.steps[1].from, 2);
  EXPECT_EQ(p.steps[5].from, 0);
}

// Eager: each message except the last occupies the root for o; the last one counts in full.
TEST(CriticalPath, EagerSendersCountWithTheirOverhead) {
  const Machine m = uniform_machine("node:5 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*m.topology, 5);
  const Path p =
      path_of(m, ranks, flat_schedule(make(Collective::kBroadcast, Algorithm::kLinear, kSmall), 5), CostModel::kLogGP);
  ASSERT_EQ(p.steps.size(), 4U);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(p.steps[i].seconds, 0.25e-6, 1e-17);
  EXPECT_NEAR(p.steps[3].seconds, 1.1e-6, 1e-17);
}

TEST(CriticalPath, AddsUpToTheCompletion) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  Machine machine = uniform_machine("node:2 pack:2 core:2 pu:1",
                                    {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 1, .link_gbs = 0.5});
  set_costs(machine, "System - Cluster", {.latency_us = 3.7, .overhead_us = 1.1, .bandwidth_gbs = 0.3, .link_gbs = 1});
  const std::vector<Binding> ranks =
      place(*machine.topology, 10, {.map_by = "core", .bind_to = "core", .oversubscribe = true});
  const auto expect_path = [&](const Schedule& schedule, CostModel model) {
    Path p;
    try {
      p = path_of(machine, ranks, schedule, model);
    } catch (const std::logic_error&) {
      return;  // deadlocks in this model
    }
    double sum_s = 0;
    int messages = 0;
    for (const PathStep& step : p.steps) {
      EXPECT_GT(step.seconds, 0);
      sum_s += step.seconds;
      messages += step.message ? 1 : 0;
    }
    EXPECT_NEAR(sum_s, p.timing.completion.value, 1e-12 * sum_s);
    // A step starts at one of the ends of the previous step.
    for (size_t i = 1; i < p.steps.size(); ++i) {
      const PathStep &a = p.steps[i - 1], &b = p.steps[i];
      EXPECT_TRUE(a.to == b.from || a.to == b.to || a.from == b.from || a.from == b.to);
    }
    double by_level_s = p.summary.combine_s;
    int by_level = 0;
    for (const LevelShare& l : p.summary.levels) {
      by_level_s += l.seconds;
      by_level += l.messages;
    }
    EXPECT_NEAR(by_level_s, sum_s, 1e-12 * sum_s);
    EXPECT_EQ(by_level, messages);
    EXPECT_EQ(p.summary.messages, messages);
  };
  for (int trial = 0; trial < 1000; ++trial) {
    const Schedule s = random_schedule(10, random);
    for (const CostModel model : {CostModel::kHockney, CostModel::kLogGP}) expect_path(s, model);
  }
  for (const auto& [name, collective] : kCollectives) {
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (const int elements : {10, 1000}) {
        const CollectiveCase what{.collective = collective,
                                  .algorithm = algorithm,
                                  .root = 3,
                                  .payload = {.elements = elements, .element_bytes = 4, .segment_bytes = 1200}};
        for (const CostModel model : {CostModel::kHockney, CostModel::kLogGP}) {
          expect_path(flat_schedule(what, 10), model);
          if (!has_algorithm(collective, algorithm, true)) continue;
          expect_path(hierarchical_schedule(what, topological_hierarchy(*machine.topology, ranks)), model);
        }
      }
    }
  }
}

}  // namespace
}  // namespace strata::models
