// SPDX-License-Identifier: LGPL-2.1-only
// Worked examples with a core of 2 Gflop/s that copies or combines 4 GB/s.
#include "platforms/core_work.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

constexpr double kSpeed = 2e9, kBandwidth = 4e9;  // flop/s, B/s

TEST(CoreWork, Moving) {
  EXPECT_DOUBLE_EQ(moving_flops(kSpeed, kBandwidth, 1000), 500);
  EXPECT_EQ(moving_flops(kSpeed, kBandwidth, 0), 0);
}

// A combination moves 3 B per byte of an operand, which is 12 GB/s of traffic: 1200 B cost as much as 200 flop.
TEST(CoreWork, StreamingTakesWhatIsLonger) {
  EXPECT_DOUBLE_EQ(streaming_flops(kSpeed, kBandwidth, 100, 1200), 200);
  EXPECT_DOUBLE_EQ(streaming_flops(kSpeed, kBandwidth, 300, 1200), 300);
}

}  // namespace
}  // namespace strata
