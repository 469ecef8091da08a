// SPDX-License-Identifier: LGPL-2.1-only
// Held-out operations of a file, the cores of their ranks, and prediction errors.
#include "calibration/held_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "platforms/machine.h"

namespace strata::calibration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Measurement time_of(Operation operation, const std::string& level, double bytes, int ranks, double seconds) {
  return {operation, level, bytes, ranks, seconds, "imb.txt:7"};
}

// Two nodes, each with two packages of two cores.
Machine machine() { return machine_from_tree("node:2 pack:2 core:2"); }

// "node core" for each rank; cores are counted within the node.
std::vector<std::string> places_of(const std::vector<Binding>& bindings, const Machine& m) {
  std::vector<std::string> places;
  for (const Binding& b : bindings) {
    const int core = m.topology->first_core(b.core) - m.topology->first_core(m.topology->node_vertex(b.node));
    places.push_back(std::to_string(b.node) + " " + std::to_string(core));
  }
  return places;
}

TEST(HeldOut, AreCollectivesAndRingsByOperationAndRanks) {
  Reading reading;
  reading.measurements = {
      time_of(Operation::kPingPong, "Package", 8, 1, 1e-6),  time_of(Operation::kBroadcast, "Package", 1024, 4, 5e-6),
      time_of(Operation::kBroadcast, "Package", 8, 4, 3e-6), time_of(Operation::kBroadcast, "Package", 8, 4, 2e-6),
      time_of(Operation::kBroadcast, "Package", 8, 4, 4e-6), time_of(Operation::kBroadcast, "Package", 8, 8, 9e-6),
      time_of(Operation::kRing, "Package", 8, 4, 1e-6),      time_of(Operation::kAlltoall, "Package", 8, 1, 1e-6)};
  const std::vector<HeldOut> all = held_out_of(reading, Manner::kImb);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].operation, Operation::kBroadcast);
  EXPECT_EQ(all[0].ranks, 4);
  EXPECT_EQ(all[0].samples, 4);
  EXPECT_EQ(all[0].source, "imb.txt");
  EXPECT_THAT(all[0].bytes, ElementsAre(8, 1024));
  EXPECT_THAT(all[0].measured_s, ElementsAre(3e-6, 5e-6));
  EXPECT_EQ(all[1].ranks, 8);
  EXPECT_EQ(word_of(all[2].operation), "sendrecv");
}

TEST(HeldOut, RanksAreAtTheirPlaces) {
  const Machine m = machine();
  HeldOut h{.ranks = 3, .places = {{1, 2}, {0, 3}, {1, 0}}, .bytes = {}, .measured_s = {}, .source = "samples.csv"};
  EXPECT_THAT(places_of(bindings_of(h, m), m), ElementsAre("1 2", "0 3", "1 0"));
  const auto fault = [&] {
    try {
      bindings_of(h, m);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  h.places[1] = {4, 0};
  EXPECT_EQ(fault(), "samples.csv: rank 1 ran on processor 0 of node 4; give --nodes 5 or more");
  h.places[1] = {0, 9};
  EXPECT_EQ(fault(), "samples.csv: rank 1 ran on processor 9 of node 0; give the node's own XML with --node");
}

TEST(HeldOut, RanksMeetAtTheirLevel) {
  const Machine m = machine();
  const std::string network = "System - Cluster", between = m.levels[1].level;  // the level between packages
  const auto places = [&](int ranks, const std::string& level, int ranks_per_node = 0) {
    const HeldOut h{.level = level, .ranks = ranks, .places = {}, .bytes = {}, .measured_s = {}, .source = "imb.txt"};
    return places_of(bindings_of(h, m, ranks_per_node), m);
  };
  EXPECT_THAT(places(6, network), ElementsAre("0 0", "0 1", "0 2", "0 3", "1 0", "1 1"));
  EXPECT_THAT(places(3, network), ElementsAre("0 0", "1 0", "0 1"));  // all on one node, they would not use the network
  EXPECT_THAT(places(4, network, 2), ElementsAre("0 0", "0 1", "1 0", "1 1"));
  EXPECT_THAT(places(2, between), ElementsAre("0 0", "0 2"));
  EXPECT_THAT(places(4, between), ElementsAre("0 0", "0 1", "0 2", "0 3"));
  EXPECT_THAT(places(2, "Package"), ElementsAre("0 0", "0 1"));
  EXPECT_THAT(places(3, ""), ElementsAre("0 0", "0 1", "0 2"));
  try {
    places(5, between);
    FAIL() << "not refused";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("imb.txt: bcast on 5 ranks, where 4 cores may have one; give more --nodes"));
  }
}

TEST(HeldOut, ErrorsAreFactorsOnEitherSide) {
  Predicted p{.of = {.operation = Operation::kAllgather,
                     .level = "Package",
                     .ranks = 4,
                     .places = {},
                     .bytes = {},
                     .measured_s = {},
                     .samples = 9,
                     .source = "imb.txt"},
              .sizes = {{8, 1e-6, 2e-6}, {64, 3e-6, 1e-6}, {1024, 1e-6, 1.1e-6}}};
  EXPECT_EQ(p.sizes[1].error(), 3);
  const Validation v = validation_of(p);
  EXPECT_EQ(v.operation, "allgather");
  EXPECT_EQ(v.level, "Package");
  EXPECT_EQ(v.ranks, 4);
  EXPECT_EQ(v.samples, 9);
  EXPECT_EQ(v.from_bytes, 8);
  EXPECT_EQ(v.to_bytes, 1024);
  EXPECT_EQ(v.median_error, 2);
  EXPECT_EQ(v.worst_error, 3);
  EXPECT_EQ(v.source, "measured: imb.txt");
}

}  // namespace
}  // namespace strata::calibration
