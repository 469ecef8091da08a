// SPDX-License-Identifier: LGPL-2.1-only
// The catalog's program that measures in the way of IMB and OSU, with times that follow by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

using Repeated = UnitMachine;

// A message of 984 B occupies its sender for 1 us and arrives after 2 us.
TEST_F(Repeated, TakesWhatItsMessagesTake) {
  auto values = run("repeated", 2, "operation: [pingpong, pingping, sendrecv, bcast, gather, scatter], bytes: [984]",
                    "arguments: [--repetitions, 1, --warm-up, 1]\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  const std::map<std::string, double>& time = values["time"];
  constexpr double kArrived = 2e-6, kMeanOfBoth = (1e-6 + kArrived) / 2;  // s
  EXPECT_NEAR(time.at("pingpong 984"), kArrived, kTolerance);
  EXPECT_NEAR(time.at("pingping 984"), kArrived, kTolerance);
  EXPECT_NEAR(time.at("sendrecv 984"), kArrived, kTolerance);
  EXPECT_NEAR(time.at("bcast 984"), kMeanOfBoth, kTolerance);
  EXPECT_NEAR(time.at("gather 984"), kMeanOfBoth, kTolerance);
  // The root copies its own block before it sends the other one, but receives while it copies.
  constexpr double kCopied = 984 * kNs;
  EXPECT_NEAR(time.at("scatter 984"), kCopied + kMeanOfBoth, kTolerance);
}

// One, two or four pairs at the same time: they share no link.
TEST_F(Repeated, PairsDoNotDisturbEachOther) {
  for (const int ranks : {2, 4, 8}) {
    auto values = run("repeated", ranks, "operation: [pingpong], bytes: [984, 1984]");
    ASSERT_EQ(ran_.code, 0) << ran_.err;
    EXPECT_NEAR(values["time"].at("pingpong 984"), 2e-6, kTolerance) << ranks;
    EXPECT_NEAR(values["time"].at("pingpong 1984"), 3e-6, kTolerance) << ranks;
  }
}

// Between two ranks every algorithm is a single message.
TEST_F(Repeated, HasTheAlgorithmsOfTheLibrary) {
  auto values = run("repeated", 2, "algorithm: [linear, chain, pipeline, binary, binomial], bytes: [984]",
                    "arguments: [--operation, bcast, --repetitions, 1]\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  ASSERT_EQ(values["time"].size(), 5u);
  for (const auto& [point, time] : values["time"]) EXPECT_NEAR(time, 1.5e-6, kTolerance) << point;
}

// 0 B and 1 B, which neither four-byte elements nor blocks of several ranks divide.
TEST_F(Repeated, TakesMessagesOfNoByteAndOfOne) {
  auto values = run("repeated", 4,
                    "operation: [pingpong, pingping, sendrecv, exchange, bcast, reduce, allreduce, gather, scatter, "
                    "allgather, alltoall], bytes: [0, 1]",
                    "arguments: [--repetitions, 1]\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  EXPECT_EQ(values["time"].size(), 22u);
  for (const auto& [point, time] : values["time"]) EXPECT_GE(time, 0) << point;
  // A message takes the latency of 1 us and its envelope of 16 B on a link of 1 GB/s, and its bytes.
  EXPECT_NEAR(values["time"].at("pingpong 1") - values["time"].at("pingpong 0"), kNs, kTolerance);
}

TEST_F(Repeated, RefusesWhatItHasNot) {
  run("repeated", 2, "operation: [scatter], algorithm: [pipeline]");
  EXPECT_EQ(ran_.code, 2);
  EXPECT_THAT(ran_.err, ::testing::HasSubstr("--algorithm: scatter has no pipeline"));
  run("repeated", 3, "operation: [pingpong]");
  EXPECT_EQ(ran_.code, 2);
  EXPECT_THAT(ran_.err, ::testing::HasSubstr("pingpong needs an even number of ranks, not 3"));
}

}  // namespace
}  // namespace strata
