// SPDX-License-Identifier: LGPL-2.1-only
// RR-9077, Section 6, in numbers; and the closed forms compared with the schedules whose times they describe.
#include "models/hockney.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "models/collective.h"
#include "models/schedule_time.h"
#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

// alpha = 2 us, 1/beta = 1 GB/s, m = 1000 B: a message takes 3 us.
constexpr HockneyCost kCost{Seconds(2e-6), BytesPerSecond(1e9)};
constexpr Bytes kMessage(1000);

TEST(Hockney, FlatTreeSendsToEachOtherProcess) {
  EXPECT_DOUBLE_EQ(message_time(kCost, kMessage).value, 3e-6);
  EXPECT_DOUBLE_EQ(flat_tree_time(8, kCost, kMessage).value, 21e-6);
  EXPECT_DOUBLE_EQ(flat_tree_time(1, kCost, kMessage).value, 0);
  EXPECT_THROW(flat_tree_time(0, kCost, kMessage), std::invalid_argument);
}

TEST(Hockney, EightProcessesInThreeBinaryLevelsGainSevenThirds) {
  const std::array levels = {HockneyLevel{2, kCost}, HockneyLevel{2, kCost}, HockneyLevel{2, kCost}};
  const Seconds hierarchical = hierarchical_flat_tree_time(levels, kMessage);
  EXPECT_DOUBLE_EQ(hierarchical.value, 9e-6);
  EXPECT_DOUBLE_EQ(flat_tree_time(8, kCost, kMessage) / hierarchical, 7.0 / 3.0);
}

TEST(Hockney, LevelsCountWithTheirOwnCosts) {
  // 9 (10 us + 1000 B / 0.5 GB/s = 12 us) + 3 (3 us) = 117 us.
  const std::array levels = {HockneyLevel{10, {Seconds(10e-6), BytesPerSecond(0.5e9)}}, HockneyLevel{4, kCost}};
  EXPECT_DOUBLE_EQ(hierarchical_flat_tree_time(levels, kMessage).value, 117e-6);
}

TEST(Hockney, BinomialTreeTakesLogarithmicallyManyRounds) {
  const auto rounds = [](int p) { return binomial_tree_time(p, kCost, kMessage).value / 3e-6; };
  EXPECT_DOUBLE_EQ(rounds(1), 0);
  EXPECT_DOUBLE_EQ(rounds(2), 1);
  EXPECT_DOUBLE_EQ(rounds(3), 2);
  EXPECT_DOUBLE_EQ(rounds(4), 2);
  EXPECT_DOUBLE_EQ(rounds(5), 3);
  EXPECT_DOUBLE_EQ(rounds(1024), 10);
  EXPECT_DOUBLE_EQ(rounds(1025), 11);
}

TEST(Hockney, RefusesWhatIsNoTree) {
  EXPECT_THROW(pipeline_time(4, kCost, kMessage, 0), std::invalid_argument);
  EXPECT_THROW(chain_time(4, 0, kCost, kMessage, 1), std::invalid_argument);
  EXPECT_THROW(binary_tree_time(0, kCost, kMessage, 1), std::invalid_argument);
  EXPECT_DOUBLE_EQ(pipeline_time(1, kCost, kMessage, 3).value, 0);
  EXPECT_DOUBLE_EQ(binary_tree_time(1, kCost, kMessage, 3).value, 0);
}

// Compares the closed forms with schedules that are executed message by message on a machine where all messages cost
// the same. A segment is 250 elements, 1000 B, and 1016 B on the wire; the closed forms count the envelope in m.
class AgainstSchedules : public testing::Test {
 protected:
  static constexpr double kSegmentBytes = 1000, kCombining = 2e9;

  void expect(double closed_s, Collective collective, Algorithm algorithm, int p, int segments) {
    const CollectiveCase what{
        .collective = collective,
        .algorithm = algorithm,
        .root = p / 3,
        .payload = {.elements = 250 * segments, .element_bytes = 4, .segment_bytes = kSegmentBytes}};
    const double s =
        time_schedule(MessageCosts(machine_), place(*machine_.topology, p), flat_schedule(what, p), CostModel::kHockney)
            .completion.value;
    EXPECT_NEAR(s, closed_s, 1e-12 * closed_s) << name_of(algorithm) << " p " << p << ", s " << segments;
  }
  static Bytes wire(int segments) { return Bytes(segments * (kSegmentBytes + 16)); }

  const Machine machine_ = uniform_machine("node:4 pack:2 core:16 pu:1");
  const HockneyCost cost_{Seconds(1e-6), BytesPerSecond(1e9)};
};

TEST_F(AgainstSchedules, PipelineAndItsReduce) {
  for (int p = 1; p <= 70; ++p) {
    for (int s = 1; s <= 9; ++s) {
      expect(pipeline_time(p, cost_, wire(s), s).value, Collective::kBroadcast, Algorithm::kPipeline, p, s);
      // Combinations work on the payload, without envelopes.
      const double combinations = p < 3 ? p - 1 : p - 2.0 + s;
      const double reduce_s =
          pipeline_reduce_time(p, cost_, BytesPerSecond(kCombining), wire(s), s).value - combinations * 16 / kCombining;
      expect(reduce_s, Collective::kReduce, Algorithm::kPipeline, p, s);
    }
  }
}

TEST_F(AgainstSchedules, FourChainsOfEqualLength) {
  for (int p = 5; p <= 70; p += 4) {
    for (int s = 1; s <= 9; ++s) {
      expect(chain_time(p, 4, cost_, wire(s), s).value, Collective::kBroadcast, Algorithm::kChain, p, s);
    }
  }
}

TEST_F(AgainstSchedules, CompleteBinaryAndBinomialTrees) {
  for (int p = 2; p <= 64; p *= 2) {
    for (int s = 1; s <= 9; ++s) {
      expect(segmented_binomial_time(p, cost_, wire(s), s).value, Collective::kBroadcast, Algorithm::kBinomial, p, s);
      if (p > 2) {
        expect(binary_tree_time(p - 1, cost_, wire(s), s).value, Collective::kBroadcast, Algorithm::kBinary, p - 1, s);
      }
    }
  }
}

TEST_F(AgainstSchedules, BinomialReduce) {
  for (int p = 1, rounds = 0; p <= 64; p *= 2, ++rounds) {
    const double closed_s = binomial_reduce_time(p, cost_, BytesPerSecond(kCombining), wire(1)).value;
    expect(closed_s - rounds * 16 / kCombining, Collective::kReduce, Algorithm::kBinomial, p, 1);
  }
}

TEST_F(AgainstSchedules, FlatReduce) {
  for (int p = 1; p <= 70; ++p) {
    const double closed_s = flat_tree_reduce_time(p, cost_, BytesPerSecond(kCombining), wire(1)).value;
    expect(closed_s - (p - 1) * 16 / kCombining, Collective::kReduce, Algorithm::kLinear, p, 1);
  }
}

}  // namespace
}  // namespace strata::models
