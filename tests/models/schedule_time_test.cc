// Times of schedules: against the closed forms where these hold, by hand where models differ, and how long it takes.
#include "models/schedule_time.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>

#include "models/contention.h"
#include "models/hockney.h"
#include "tests/models/machines.h"

namespace strata::models {
namespace {

constexpr double kSmall = 84;        // with the envelope 100 B: 0.1 us at 1 GB/s; eager
constexpr double kLarge = 1'984;     // with the envelope 2000 B: 2 us; rendezvous
constexpr double kRounding = 1e-12;  // relative: sums in another order

Timing timed(const Machine& machine, int np, BroadcastAlgorithm algorithm, bool hierarchical, double bytes,
             CostModel model) {
  const std::vector<Binding> ranks = place(*machine.topology, np);
  const Schedule schedule = hierarchical ? hierarchical_broadcast(algorithm, *machine.topology, ranks, 0)
                                         : native_broadcast(algorithm, np, 0);
  return time_schedule(MessageCosts(machine), ranks, schedule, bytes, model);
}

// A uniform machine: alpha = 1 us, beta = 1 ns/B everywhere, so that the schedules' times are the closed forms'.
TEST(ScheduleTime, HockneyOnAUniformMachineIsTheClosedForm) {
  const Machine machine = uniform_machine("node:5 pack:2 core:7 pu:1");
  const HockneyCost cost{Seconds(1e-6), BytesPerSecond(1e9)};
  for (const double bytes : {kSmall, kLarge}) {
    const Bytes wire(bytes + 16);
    for (int p = 1; p <= 70; ++p) {
      const Timing linear = timed(machine, p, BroadcastAlgorithm::kLinear, false, bytes, CostModel::kHockney);
      const double flat = flat_tree_time(p, cost, wire).value;
      EXPECT_NEAR(linear.completion.value, flat, kRounding * flat) << "p " << p;
      const Timing tree = timed(machine, p, BroadcastAlgorithm::kBinomial, false, bytes, CostModel::kHockney);
      const double rounds = binomial_tree_time(p, cost, wire).value;
      EXPECT_NEAR(tree.completion.value, rounds, kRounding * rounds) << "p " << p;
      EXPECT_EQ(linear.transfers.size(), static_cast<size_t>(p - 1));
    }
  }
}

TEST(ScheduleTime, ThreeBinaryLevelsTakeThreeMessages) {
  const Machine machine = uniform_machine("node:2 pack:2 core:2 pu:1");
  for (const BroadcastAlgorithm algorithm : {BroadcastAlgorithm::kLinear, BroadcastAlgorithm::kBinomial}) {
    const Timing t = timed(machine, 8, algorithm, true, kLarge, CostModel::kHockney);
    EXPECT_NEAR(t.completion.value, 3 * 3e-6, kRounding);
  }
}

// Levels with their own costs: RR-9077's sum over the levels.
TEST(ScheduleTime, HierarchicalLinearIsTheSumOverTheLevels) {
  Machine machine = uniform_machine("node:4 pack:3 core:5 pu:1");
  set_costs(machine, "System - Cluster", {.latency_us = 5, .overhead_us = 1, .bandwidth_gbs = 0.5, .link_gbs = 1000});
  set_costs(machine, "NUMANode", {.latency_us = 2, .overhead_us = 1, .bandwidth_gbs = 2, .link_gbs = 1000});
  const std::vector<HockneyLevel> levels = {{4, {Seconds(5e-6), BytesPerSecond(0.5e9)}},
                                            {3, {Seconds(2e-6), BytesPerSecond(2e9)}},
                                            {5, {Seconds(1e-6), BytesPerSecond(1e9)}}};
  const double expected = hierarchical_flat_tree_time(levels, Bytes(kLarge + 16)).value;
  EXPECT_NEAR(expected, (3 * 9 + 2 * 3 + 4 * 3) * 1e-6, 1e-15);
  const Timing t = timed(machine, 60, BroadcastAlgorithm::kLinear, true, kLarge, CostModel::kHockney);
  EXPECT_NEAR(t.completion.value, expected, kRounding * expected);
}

// A rendezvous sender waits: LogGP is Hockney's model there, transfer by transfer and to the last bit.
TEST(ScheduleTime, RendezvousIsTheSameInBothModels) {
  Machine machine = uniform_machine("node:3 pack:2 core:4 pu:1");
  set_costs(machine, "System - Cluster", {.latency_us = 3.7, .overhead_us = 1.1, .bandwidth_gbs = 0.3, .link_gbs = 1});
  for (const BroadcastAlgorithm algorithm : {BroadcastAlgorithm::kLinear, BroadcastAlgorithm::kBinomial}) {
    for (const bool hierarchical : {false, true}) {
      const Timing h = timed(machine, 24, algorithm, hierarchical, kLarge, CostModel::kHockney);
      const Timing l = timed(machine, 24, algorithm, hierarchical, kLarge, CostModel::kLogGP);
      EXPECT_EQ(h.completion, l.completion);
      ASSERT_EQ(h.transfers.size(), l.transfers.size());
      for (size_t i = 0; i < h.transfers.size(); ++i) EXPECT_EQ(h.transfers[i].arrival_s, l.transfers[i].arrival_s);
    }
  }
}

// Eager, o = 0.25 us, L = 1 us, m/b = 0.1 us: the root is busy for o a message. Linear, p = 5: the last starts at 0.75
// us.
TEST(ScheduleTime, EagerSendersAreBusyForTheOverhead) {
  const Machine machine = uniform_machine("node:5 pack:1 core:1 pu:1");
  const Timing t = timed(machine, 5, BroadcastAlgorithm::kLinear, false, kSmall, CostModel::kLogGP);
  EXPECT_NEAR(t.completion.value, 0.75e-6 + 1.1e-6, kRounding);
  EXPECT_EQ(t.waited_for_link, -1);
  EXPECT_NEAR(t.transfers[3].start_s, 0.75e-6, kRounding);
  EXPECT_NEAR(t.transfers[3].flow_s, 1.75e-6, kRounding);
}

// Binomial, p = 4: 1 receives at 1.1 us and sends to 3, which receives at 2.2; 2 has it at 0.25 + 1.1.
TEST(ScheduleTime, EagerBinomialByHand) {
  const Machine machine = uniform_machine("node:4 pack:1 core:1 pu:1");
  const Timing t = timed(machine, 4, BroadcastAlgorithm::kBinomial, false, kSmall, CostModel::kLogGP);
  EXPECT_NEAR(t.completion.value, 2.2e-6, kRounding);
  ASSERT_EQ(t.transfers.size(), 3U);
  EXPECT_NEAR(t.transfers[1].arrival_s, 1.35e-6, kRounding);
  EXPECT_EQ(t.transfers[1].to, 2);
}

// The link of the root carries 0.2 GB/s: 100 B leave it in 0.5 us, more than the overhead. The last of 4 starts at 1.5
// us.
TEST(ScheduleTime, TheGapIsTheLinksWhereThatIsLongerThanTheOverhead) {
  const Machine machine = uniform_machine(
      "node:5 pack:1 core:1 pu:1", {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 0.2, .link_gbs = 0.2});
  const Timing t = timed(machine, 5, BroadcastAlgorithm::kLinear, false, kSmall, CostModel::kLogGP);
  EXPECT_NEAR(t.completion.value, 1.5e-6 + 1.5e-6, kRounding);
  EXPECT_EQ(t.waited_for_link, 0);
}

// Two ranks of one core: the innermost level's latency (1 us), copy_bandwidth 2 GB/s: 100 B take 0.05 us.
TEST(ScheduleTime, AMessageToTheSameCoreIsACopy) {
  const Machine machine = uniform_machine("pack:1 core:2 pu:1");
  const std::vector<Binding> ranks =
      place(*machine.topology, 4, {.map_by = "core", .bind_to = "core", .oversubscribe = true});
  const Schedule s = {{{Operation::Kind::kSend, 2}}, {}, {{Operation::Kind::kReceive, 0}}, {}};
  ASSERT_EQ(ranks[0].core, ranks[2].core);
  for (const CostModel model : {CostModel::kHockney, CostModel::kLogGP}) {
    EXPECT_NEAR(time_schedule(MessageCosts(machine), ranks, s, kSmall, model).completion.value, 1.05e-6, kRounding);
  }
}

// A receiver that calls late: 1 first sends to 2 (rendezvous, 3 us), then receives from 0. Rendezvous: the wire is free
// for 0's message when 1 calls; 0 has spent its overhead by then: 3 - 0.25 + 3 us. Hockney's sender does not ask.
TEST(ScheduleTime, RendezvousWaitsForItsReceiver) {
  const Machine machine = uniform_machine("node:3 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*machine.topology, 3);
  const Schedule s = {{{Operation::Kind::kSend, 1}},
                      {{Operation::Kind::kSend, 2}, {Operation::Kind::kReceive, 0}},
                      {{Operation::Kind::kReceive, 1}}};
  const MessageCosts costs(machine);
  EXPECT_NEAR(time_schedule(costs, ranks, s, kLarge, CostModel::kLogGP).completion.value, 5.75e-6, kRounding);
  EXPECT_NEAR(time_schedule(costs, ranks, s, kLarge, CostModel::kHockney).completion.value, 3e-6, kRounding);
}

TEST(ScheduleTime, RefusesSchedulesThatCannotEnd) {
  const Machine machine = uniform_machine("node:2 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*machine.topology, 2);
  const MessageCosts costs(machine);
  const Operation to_1{Operation::Kind::kSend, 1}, from_1{Operation::Kind::kReceive, 1};
  const Operation to_0{Operation::Kind::kSend, 0}, from_0{Operation::Kind::kReceive, 0};
  EXPECT_THROW(time_schedule(costs, ranks, {{to_1}, {}}, kSmall, CostModel::kLogGP), std::logic_error);
  const Schedule circle = {{from_1, to_1}, {from_0, to_0}};
  EXPECT_THROW(time_schedule(costs, ranks, circle, kSmall, CostModel::kLogGP), std::logic_error);
  // Both send first: eager messages pass, rendezvous waits for ever.
  const Schedule both_send = {{to_1, from_1}, {to_0, from_0}};
  EXPECT_NEAR(time_schedule(costs, ranks, both_send, kSmall, CostModel::kLogGP).completion.value, 1.1e-6, kRounding);
  EXPECT_THROW(time_schedule(costs, ranks, both_send, kLarge, CostModel::kLogGP), std::logic_error);
}

// 16,384 ranks in a binomial tree, timed and swept for contention. A second is 30 times what it takes on the machine it
// was written on; an algorithm that is quadratic in the ranks takes far longer.
TEST(ScheduleTime, SixteenThousandRanksTakeLessThanASecond) {
  const Machine machine = uniform_machine("node:512 pack:2 core:16 pu:1");
  const std::vector<Binding> ranks = place(*machine.topology, 16'384);
  for (const double bytes : {kSmall, kLarge}) {
    const auto begin = std::chrono::steady_clock::now();
    const MessageCosts costs(machine);
    const Schedule schedule = native_broadcast(BroadcastAlgorithm::kBinomial, 16'384, 0);
    const Timing t = time_schedule(costs, ranks, schedule, bytes, CostModel::kHockney);
    const auto contention = find_contention(costs, ranks, t.transfers);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), 1.0);
    RecordProperty("milliseconds", static_cast<int>(took.count() * 1000));
    EXPECT_NEAR(t.completion.value, 14 * (1e-6 + (bytes + 16) / 1e9), 1e-15);
    EXPECT_FALSE(contention.has_value());  // links of 1000 GB/s under 16 senders of 1 GB/s each
  }
}

}  // namespace
}  // namespace strata::models
