// SPDX-License-Identifier: LGPL-2.1-only
// Predictions, and whether their assumptions hold.
#include "models/prediction.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

constexpr double kSmall = 84;     // 100 B on the wire: 0.1 us at 1 GB/s; eager
constexpr double kLarge = 1'984;  // 2000 B: 2 us; rendezvous

// One message, in one piece.
Schedule broadcast(const Machine& machine, const std::vector<Binding>& ranks, const char* algorithm,
                   const char* variant, int root, double bytes) {
  return schedule_of(machine, ranks,
                     {.collective = Collective::kBroadcast,
                      .algorithm = find_algorithm(algorithm).value(),
                      .root = root,
                      .payload = {.elements = bytes > 0 ? 1 : 0, .element_bytes = bytes, .segment_bytes = 0}},
                     find_variant(variant).value());
}

TEST(Prediction, ARendezvousPipelineIsHockneysAndIsJudged) {
  const Machine m = uniform_machine("node:4 pack:1 core:2 pu:1",
                                    {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 1, .link_gbs = 1});
  const std::vector<Binding> ranks = place(*m.topology, 8);
  const Schedule what = broadcast(m, ranks, "pipeline", "native", 0, kLarge);
  const Prediction h = predict_hockney(m, ranks, what), l = predict_loggp(m, ranks, what);
  EXPECT_NEAR(h.time.value, 7 * 3e-6, 1e-17);  // although a link carries only one message at a time
  EXPECT_EQ(h.outside, "");
  EXPECT_EQ(l.time, h.time);
  EXPECT_EQ(l.outside, "");
}

// Hockney's root sends one message after another, the program's root starts all its sends: seven times 2 us on its
// link.
TEST(Prediction, SendsThatAreStartedAtOnceAreOutsideOfHockney) {
  const Machine m = uniform_machine("node:4 pack:1 core:2 pu:1",
                                    {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 1, .link_gbs = 1});
  const std::vector<Binding> ranks = place(*m.topology, 8);
  const Schedule what = broadcast(m, ranks, "linear", "native", 0, kLarge);
  const Prediction h = predict_hockney(m, ranks, what), l = predict_loggp(m, ranks, what);
  EXPECT_NEAR(h.time.value, 7 * 3e-6, 1e-17);
  EXPECT_EQ(h.outside, "at once: rank 0 starts 7 sends before it waits for one, Hockney's sends one after another");
  EXPECT_NEAR(l.time.value, 1e-6 + 7 * 2e-6, 1e-17);
  EXPECT_EQ(l.outside, "");
}

TEST(Prediction, EagerSendersThatDoNotWaitAreOutsideOfHockney) {
  const Machine m = uniform_machine("node:4 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*m.topology, 4);
  const Schedule what = broadcast(m, ranks, "linear", "native", 0, kSmall);
  const Prediction h = predict_hockney(m, ranks, what), l = predict_loggp(m, ranks, what);
  EXPECT_NEAR(h.time.value, 3 * 1.1e-6, 1e-17);
  EXPECT_EQ(h.outside, "eager: a sender of 84 B does not wait for the latency of its message, Hockney's sender does");
  EXPECT_NEAR(l.time.value, 0.5e-6 + 1.1e-6, 1e-17);
  EXPECT_EQ(l.outside, "");
}

// A single message: no rank waits for the next action of the sender, so it does not matter that Hockney's sender waits.
TEST(Prediction, AnEagerMessageAloneStaysInsideOfHockney) {
  const Machine m = uniform_machine("node:2 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*m.topology, 2);
  const Prediction h = predict_hockney(m, ranks, broadcast(m, ranks, "binomial", "native", 0, kSmall));
  EXPECT_NEAR(h.time.value, 1.1e-6, 1e-17);
  EXPECT_EQ(h.outside, "");
}

// Three nodes of two cores, binomial, rendezvous. 0 -> 2 and 0 -> 4 leave node 0 at an interval of o; 1 -> 3 and 1 -> 5
// leave it when 1 has the message. If the node's link carries 1.25 messages, those of 0 flow until 1.25 us + 0.25 us +
// 3750 B / 1.25 GB/s = 4.5 us, but those of 1 begin to flow at 3 + 1 us.
TEST(Prediction, BinomialOnNarrowLinksIsOutsideOfBoth) {
  Machine m = uniform_machine("node:3 pack:1 core:2 pu:1");
  const std::vector<Binding> ranks = place(*m.topology, 6);
  const Schedule what = broadcast(m, ranks, "binomial", "native", 0, kLarge);
  EXPECT_EQ(predict_loggp(m, ranks, what).outside, "");
  set_costs(m, "System - Cluster", {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 1, .link_gbs = 1.25});
  const Prediction l = predict_loggp(m, ranks, what), h = predict_hockney(m, ranks, what);
  EXPECT_EQ(l.outside, "contention: 4 messages at once on the up link of node 0 ask for 2.5 GB/s of 1.25 GB/s");
  EXPECT_NEAR(h.time.value, 3 * 3e-6, 1e-17);  // the time is still reported
  EXPECT_NE(h.outside, "");
  // In the hierarchical variant only one rank of a node sends over its link, from 1.25 to 4.5 us; then each node needs
  // 3 us.
  const Schedule hierarchical = broadcast(m, ranks, "binomial", "hierarchical", 0, kLarge);
  EXPECT_EQ(predict_loggp(m, ranks, hierarchical).outside, "");
}

// One message fills a core's link. The root's messages leave at intervals of o, which is shorter than a message takes.
TEST(Prediction, ACoreThatOutrunsItsLinkSharesIt) {
  const Machine m = uniform_machine("node:5 pack:1 core:1 pu:1",
                                    {.latency_us = 1, .overhead_us = 0.05, .bandwidth_gbs = 1, .link_gbs = 1});
  const std::vector<Binding> ranks = place(*m.topology, 5);
  const Prediction l = predict_loggp(m, ranks, broadcast(m, ranks, "linear", "native", 0, kSmall));
  EXPECT_NEAR(l.time.value, 4 * 0.1e-6 + 1e-6, 1e-17);  // the link carries the four messages as if one after the other
  EXPECT_EQ(l.outside, "");
}

TEST(Prediction, HierarchicalFromAnotherRootPaysOneMessageMore) {
  const Machine m = uniform_machine("node:2 pack:2 core:2 pu:1");
  const std::vector<Binding> ranks = place(*m.topology, 8);
  EXPECT_NEAR(predict_hockney(m, ranks, broadcast(m, ranks, "linear", "hierarchical", 0, kLarge)).time.value, 3 * 3e-6,
              1e-17);
  EXPECT_NEAR(predict_hockney(m, ranks, broadcast(m, ranks, "linear", "hierarchical", 5, kLarge)).time.value, 4 * 3e-6,
              1e-17);
}

TEST(Prediction, ABroadcastOfNothingTakesNoTime) {
  const Machine m = uniform_machine("node:2 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*m.topology, 2);
  for (const char* variant : {"native", "hierarchical"}) {
    const Schedule what = broadcast(m, ranks, "linear", variant, 0, 0);
    EXPECT_EQ(predict_hockney(m, ranks, what).time, Seconds(0));
    EXPECT_EQ(predict_loggp(m, ranks, what).time, Seconds(0));
    EXPECT_EQ(predict_hockney(m, ranks, what).outside, "");
  }
}

// A linear reduce, rendezvous: the root receives one message after another, each at least o after its sender called. In
// LogGP the sender has prepared its message by then. Hockney counts the whole latency again, so this is outside
// Hockney's model.
TEST(Prediction, ALateReceiverIsOutsideOfHockney) {
  const Machine m = uniform_machine("node:4 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*m.topology, 4);
  const Schedule what = schedule_of(m, ranks,
                                    {.collective = Collective::kReduce,
                                     .algorithm = Algorithm::kLinear,
                                     .root = 0,
                                     .payload = {.elements = 1, .element_bytes = kLarge, .segment_bytes = 0}},
                                    Variant::kNative);
  const double combine_s = kLarge / 2e9;
  const Prediction h = predict_hockney(m, ranks, what), l = predict_loggp(m, ranks, what);
  EXPECT_NEAR(h.time.value, 3 * (3e-6 + combine_s), 1e-17);
  EXPECT_EQ(h.outside.substr(0, 8), "overlap:");
  EXPECT_NEAR(l.time.value, 3 * (3e-6 + combine_s) - 2 * 0.25e-6, 1e-17);
  EXPECT_EQ(l.outside, "");
}

// A pipeline of four ranks on two cores: rank 2 combines on the core of rank 0; rank 1 shares its core with rank 3,
// which combines nothing.
TEST(Prediction, RanksThatCombineOnOneCoreAreOutside) {
  const Machine m = uniform_machine("pack:1 core:2 pu:1");
  const std::vector<Binding> ranks =
      place(*m.topology, 4, {.map_by = "core", .bind_to = "core", .oversubscribe = true});
  const Schedule what = schedule_of(m, ranks,
                                    {.collective = Collective::kReduce,
                                     .algorithm = Algorithm::kPipeline,
                                     .root = 0,
                                     .payload = {.elements = 1, .element_bytes = kLarge, .segment_bytes = 0}},
                                    Variant::kNative);
  EXPECT_EQ(predict_loggp(m, ranks, what).outside, "sharing: ranks 0 and 2 combine or compute on one core");
}

TEST(Prediction, RefusesWhatACollectiveDoesNotHave) {
  const Machine m = uniform_machine("node:2 pack:1 core:1 pu:1");
  const std::vector<Binding> ranks = place(*m.topology, 2);
  EXPECT_THROW(broadcast(m, ranks, "ring", "native", 0, 1), std::invalid_argument);
  EXPECT_THROW(broadcast(m, ranks, "linear", "native", 2, 1), std::invalid_argument);
  EXPECT_EQ(find_variant("vertical"), std::nullopt);
}

}  // namespace
}  // namespace strata::models
