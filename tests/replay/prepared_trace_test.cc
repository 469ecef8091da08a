// SPDX-License-Identifier: LGPL-2.1-only
// A trace prepared for a replay: lanes, channels, and how many requests are remembered.
#include "replay/prepared_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using ::testing::ElementsAre;

TEST(PreparedTrace, LanesAreNumberedAsPeersAppear) {
  const Programs p(trace_of({{send(2, 8), send(1, 8), send(2, 8), receive(1, 8), wait(4)},
                             {receive(2, 8), send(2, 8), wait(1)},
                             {receive(1, 8), receive(1, 8), wait(2)}}));
  EXPECT_THAT(p.of(0).out, ElementsAre(2, 1));
  EXPECT_THAT(p.of(0).in, ElementsAre(1));
  EXPECT_EQ(p.of(0).ops[0].lane, 0);
  EXPECT_EQ(p.of(0).ops[1].lane, 1);
  EXPECT_EQ(p.of(0).ops[2].lane, 0);
  EXPECT_THAT(p.of(2).in, ElementsAre(1));
  EXPECT_EQ(p.of(0).longest_wait, 4);
  EXPECT_EQ(p.of(2).longest_wait, 2);
}

TEST(PreparedTrace, AReceiverUsesItsSendersChannel) {
  const Programs p(trace_of({{send(2, 8), send(1, 8), receive(1, 8), wait(1)},
                             {receive(2, 8), send(2, 8), wait(1)},
                             {receive(1, 8), wait(1)}}));
  EXPECT_EQ(p.num_channels(), 3);
  EXPECT_EQ(p.out(0, 0), p.in(2, 0)) << "rank 0 to rank 2";
  EXPECT_EQ(p.out(0, 1), p.in(1, 0)) << "rank 0 to rank 1";
  EXPECT_EQ(p.out(1, 0), p.in(0, 0)) << "rank 1 to rank 0";
  EXPECT_NE(p.out(0, 0), p.out(0, 1));
}

}  // namespace
}  // namespace strata::replay
