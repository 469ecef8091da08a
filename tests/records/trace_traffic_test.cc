// SPDX-License-Identifier: LGPL-2.1-only
// The messages between the ranks of a trace. Repeated steps count once for each repetition.
#include "records/trace/trace_traffic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace strata {
namespace {

using Kind = TraceStep::Kind;
using ::testing::ElementsAre;

TraceStep send(int peer, double bytes) { return {.kind = Kind::kSend, .peer = peer, .amount = bytes}; }
TraceStep repeat(double count, int steps) { return {.kind = Kind::kRepeat, .number = steps, .amount = count}; }
TraceStep receive(int peer) { return {.kind = Kind::kReceive, .peer = peer, .amount = 100}; }

TEST(TraceTraffic, CountsRepeatedSends) {
  // Five times 8 B to the next rank and three times 10 B to the one after it; then an empty message to the next rank.
  const auto program = std::make_shared<const std::vector<TraceStep>>(
      std::vector<TraceStep>{repeat(5, 4), send(1, 8), receive(3), repeat(3, 1), send(2, 10), send(1, 0)});
  const auto other = std::make_shared<const std::vector<TraceStep>>(std::vector<TraceStep>{send(1, 7), receive(2)});
  Trace trace;
  trace.ranks = {program, other, program, program};
  const TraceTraffic traffic = traffic_of(trace);
  EXPECT_THAT(traffic.bytes.peers(0), ElementsAre(1, 2));
  EXPECT_THAT(traffic.bytes.bytes(0), ElementsAre(40, 150));
  EXPECT_THAT(traffic.messages.bytes(0), ElementsAre(6, 15));
  EXPECT_THAT(traffic.bytes.peers(1), ElementsAre(2));
  EXPECT_THAT(traffic.bytes.bytes(1), ElementsAre(7));
  // For rank 3, the next rank is 0, and the one after it is 1.
  EXPECT_THAT(traffic.bytes.peers(3), ElementsAre(0, 1));
  EXPECT_THAT(traffic.bytes.bytes(3), ElementsAre(40, 150));
}

TEST(TraceTraffic, IsEmptyWhereNothingIsSent) {
  Trace trace;
  trace.ranks = {std::make_shared<const std::vector<TraceStep>>()};
  EXPECT_EQ(traffic_of(trace).bytes.entries(), 0);
  EXPECT_EQ(traffic_of(trace).bytes.order(), 1);
}

}  // namespace
}  // namespace strata
