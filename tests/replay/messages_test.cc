// SPDX-License-Identifier: LGPL-2.1-only
// Times of messages, worked out from the figures of small_machine.h: eager, with rendezvous, synchronous, buffered, and
// messages that share a link or a network card.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/replay/small_machine.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

auto us(double microseconds) { return DoubleNear(microseconds, 1e-5); }

constexpr double kShort = 84, kLong = 1984;  // 100 and 2000 B on the wire

TraceStep sleep_us(double microseconds) { return sleep(microseconds * kMicrosecond); }

// Ranks 0 to 3; `from` sends to `to`, which receives `late_us` later.
std::vector<double> one_message(int from, int to, double bytes, std::uint8_t modes, double late_us = 0) {
  std::vector<std::vector<TraceStep>> ranks(4);
  ranks[from] = {send((to - from + 4) % 4, bytes, modes), wait(1)};
  ranks[to] = {sleep_us(late_us), receive((from - to + 4) % 4, bytes), wait(1)};
  const std::vector<double> all = ends_us(trace_of(ranks));
  return {all[from], all[to]};
}

TEST(MessageTimes, AnEagerOneTakesLatencyAndTransfer) {
  EXPECT_THAT(one_message(0, 2, kShort, 0), ElementsAre(us(2), us(10 + 0.1)));
  EXPECT_THAT(one_message(1, 0, kShort, 0), ElementsAre(us(0.25), us(1 + 0.025)));
  EXPECT_THAT(one_message(3, 2, 0, 0), ElementsAre(us(0.25), us(1 + 0.004))) << "its envelope is sent";
  EXPECT_THAT(one_message(0, 2, 999, 0), ElementsAre(us(2), us(10 + 1.015))) << "the longest";
  EXPECT_THAT(one_message(0, 2, kShort, 0, 50), ElementsAre(us(2), us(50))) << "it is there before its receive";
}

TEST(MessageTimes, ALongOneWaitsForItsReceiver) {
  // A blocking send has no overhead: the sender does nothing but wait.
  EXPECT_THAT(one_message(0, 2, kLong, 0), ElementsAre(us(8 + 2), us(8 + 2)));
  EXPECT_THAT(one_message(0, 2, 1000, 0), ElementsAre(us(8 + 1.016), us(8 + 1.016))) << "the shortest";
  EXPECT_THAT(one_message(0, 2, kLong, 0, 5), ElementsAre(us(5 + 10), us(5 + 10)));
  EXPECT_THAT(one_message(0, 1, kLong, 0), ElementsAre(us(0.75 + 0.5), us(0.75 + 0.5)));
  // MPI_Isend occupies its sender before the message waits. A receive within that time does not delay it.
  EXPECT_THAT(one_message(0, 2, kLong, TraceStep::kImmediate), ElementsAre(us(2 + 10), us(2 + 10)));
  EXPECT_THAT(one_message(0, 2, kLong, TraceStep::kImmediate, 1.5), ElementsAre(us(2 + 10), us(2 + 10)));
  EXPECT_THAT(one_message(0, 2, kLong, TraceStep::kImmediate, 5), ElementsAre(us(5 + 10), us(5 + 10)));
}

TEST(MessageTimes, ALateReceiverFindsALongMessageThatWaits) {
  // The sender computes for 20 us between MPI_Isend and MPI_Wait; the message flows in that time.
  const auto when = [](double late_us) {
    return ends_us(trace_of({{send(2, kLong, TraceStep::kImmediate), sleep_us(20), wait(1)},
                             {},
                             {sleep_us(late_us), receive(2, kLong), wait(1)},
                             {}}));
  };
  EXPECT_THAT(when(0), ElementsAre(us(22), us(0), us(12), us(0)));
  EXPECT_THAT(when(11), ElementsAre(us(22), us(0), us(21), us(0)));
  EXPECT_THAT(when(15), ElementsAre(us(25), us(0), us(25), us(0)));
}

TEST(MessageTimes, ASynchronousOneIsAcknowledged) {
  constexpr std::uint8_t kSync = TraceStep::kSynchronous;
  // The acknowledgement takes a latency of 10 us after the message has arrived.
  EXPECT_THAT(one_message(0, 2, kShort, kSync), ElementsAre(us(2 + 8.1 + 10), us(2 + 8.1)));
  // The message could have travelled while it waited: this time counts.
  EXPECT_THAT(one_message(0, 2, kShort, kSync, 6), ElementsAre(us(6 + 8.1 + 10 - 4), us(6 + 8.1)));
  EXPECT_THAT(one_message(0, 2, kShort, kSync, 50), ElementsAre(us(50 + 8.1), us(50 + 8.1)));
  // A long message waits anyway, so its sender knows.
  EXPECT_THAT(one_message(0, 2, kLong, kSync), ElementsAre(us(2 + 10), us(2 + 10)));
}

TEST(MessageTimes, ABufferedOneLeavesItsSender) {
  EXPECT_THAT(one_message(0, 2, kLong, TraceStep::kBuffered, 50), ElementsAre(us(2), us(50 + 10)));
}

TEST(MessageTimes, OneToItselfTakesTheLatencyOfANeighbour) {
  const Trace t = trace_of({{receive(0, kShort), send(0, kShort, TraceStep::kImmediate), wait(2), wait(1)}});
  EXPECT_THAT(ends_us(t), ElementsAre(us(1 + 0.025)));
}

TEST(MessageTimes, TwoShareALink) {
  const auto both = [](double second_us) {
    return ends_us(trace_of({{send(2, kLong), wait(1)},
                             {sleep_us(second_us), send(2, kLong), wait(1)},
                             {receive(2, kLong), wait(1)},
                             {receive(2, kLong), wait(1)}}));
  };
  EXPECT_THAT(both(0), ElementsAre(us(8 + 4), us(8 + 4), us(8 + 4), us(8 + 4))) << "each gets half";
  // The first one has sent 1000 B when the second begins; each then sends 1000 B in 2 us; the second one has 1000 B
  // left.
  EXPECT_THAT(both(1), ElementsAre(us(11), us(12), us(11), us(12)));
  EXPECT_THAT(both(2), ElementsAre(us(10), us(12), us(10), us(12))) << "one after the other";
}

TEST(MessageTimes, ANetworkCardLetsOneAfterTheOtherPass) {
  Machine m = small_machine();
  m.levels.front().gap = Figure{.value = 3, .unit = "us", .source = "assumed: for a test", .si = 3e-6};
  const Trace t = trace_of({{send(2, kShort), wait(1)},
                            {send(2, kShort), wait(1)},
                            {receive(2, kShort), wait(1)},
                            {receive(2, kShort), wait(1)}});
  EXPECT_THAT(ends_us(t), ElementsAre(us(2), us(2), us(10.2), us(10.2))) << "without a gap they share the link";
  EXPECT_THAT(ends_us(t, m), ElementsAre(us(2), us(2), us(13.1), us(10.1)))
      << "rank 1's first: what begins and ends together ends in reverse order (cores.h)";
}

TEST(MessageTimes, MessagesAndBytesAreCounted) {
  const Trace t = trace_of({{repeat(3, 2), send(2, kShort), wait(1), send(2, kLong), wait(1)},
                            {},
                            {repeat(3, 2), receive(2, kShort), wait(1), receive(2, kLong), wait(1)},
                            {}});
  const Replayed r = replay(t, small_machine(), t.cores);
  EXPECT_EQ(r.messages, 4);
  EXPECT_EQ(r.bytes, 3 * kShort + kLong);
  EXPECT_EQ(r.simulated_time, r.ended[2]);
}

}  // namespace
}  // namespace strata::replay
