// RR-9077, Section 6, in numbers.
#include "models/hockney.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

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

}  // namespace
}  // namespace strata::models
