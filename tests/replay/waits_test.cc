// SPDX-License-Identifier: LGPL-2.1-only
// When a rank continues that waits for one of several requests, for all, for a message from any source, or for a probe.
// A trace says which request or source it was in the recording.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/replay/small_machine.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

auto us(double microseconds) { return DoubleNear(microseconds, 1e-5); }

constexpr double kShort = 84;  // 100 B on the wire: 10.1 us between nodes, 1.025 us within one

TraceStep sleep_us(double microseconds) { return sleep(microseconds * kMicrosecond); }

TraceStep with(std::uint8_t modes, TraceStep step) {
  step.modes |= modes;
  return step;
}

// Rank 0 has receives from rank 1 and from rank 2, which sends after 5 us.
std::vector<double> two_messages(const std::vector<TraceStep>& waits) {
  std::vector<TraceStep> receiver = {receive(1, kShort), receive(2, kShort)};
  receiver.insert(receiver.end(), waits.begin(), waits.end());
  return ends_us(trace_of({receiver, {send(3, kShort), wait(1)}, {sleep_us(5), send(2, kShort), wait(1)}, {}}));
}

TEST(Waits, WaitanyContinuesWithItsRequest) {
  constexpr std::uint8_t kAny = TraceStep::kChosen;
  // The message of rank 1 arrives after 1.025 us, that of rank 2 after 15.1 us.
  EXPECT_THAT(two_messages({with(kAny, wait(2)), sleep_us(1)})[0], us(1.025 + 1));
  EXPECT_THAT(two_messages({with(kAny, wait(1)), sleep_us(1)})[0], us(15.1 + 1));
  EXPECT_THAT(two_messages({with(kAny, wait(2)), sleep_us(1), with(kAny, wait(1)), sleep_us(1)})[0], us(15.1 + 1));
  EXPECT_THAT(two_messages({with(kAny, wait(2)), sleep_us(20), with(kAny, wait(1)), sleep_us(1)})[0],
              us(1.025 + 20 + 1))
      << "it is there";
}

TEST(Waits, WaitallContinuesWithTheLast) {
  const auto more = [](int request) { return with(TraceStep::kMore, wait(request)); };
  for (const int first : {1, 2}) {
    EXPECT_THAT(two_messages({more(first), wait(3 - first), sleep_us(1)})[0], us(15.1 + 1));
  }
  EXPECT_THAT(two_messages({sleep_us(30), more(2), wait(1), sleep_us(1)})[0], us(31)) << "both are there";
}

TEST(Waits, WaitsomeContinuesWithAllThatAreListed) {
  constexpr std::uint8_t kSome = TraceStep::kChosen | TraceStep::kMore;
  EXPECT_THAT(two_messages({with(TraceStep::kChosen, wait(2)), sleep_us(2), with(TraceStep::kChosen, wait(1))})[0],
              us(15.1))
      << "one at a time";
  EXPECT_THAT(two_messages({with(kSome, wait(2)), with(TraceStep::kChosen, wait(1)), sleep_us(2)})[0], us(15.1 + 2))
      << "both at once";
}

TEST(Waits, ARequestIsWaitedForOnce) {
  EXPECT_THAT(two_messages({wait(2), wait(2), wait(2), sleep_us(1)})[0], us(1.025 + 1));
}

// A receive from any source keeps the source of the recording, even if another message comes first here.
TEST(Waits, AReceiveFromAnySourceGetsTheRecordedMessage) {
  const auto when = [](int first, int second) {
    return ends_us(trace_of({{with(TraceStep::kWildcard, receive(first, kShort)), wait(1), sleep_us(3),
                              with(TraceStep::kWildcard, receive(second, kShort)), wait(1), sleep_us(1)},
                             {send(3, kShort), wait(1)},
                             {sleep_us(5), send(2, kShort), wait(1)},
                             {}}));
  };
  EXPECT_THAT(when(1, 2)[0], us(15.1 + 1));
  EXPECT_THAT(when(2, 1)[0], us(15.1 + 3 + 1)) << "rank 1's message is there, and has to wait";
}

// Messages of one sender with different tags: a receive skips those that it does not match.
TEST(Waits, AReceiveThatSkipsMessages) {
  const auto when = [](int passed) {
    return ends_us(trace_of({{send(2, kShort), wait(1), sleep_us(20), send(2, kShort), wait(1)},
                             {},
                             {receive(2, kShort, passed), wait(1), sleep_us(1), receive(2, kShort), wait(1)},
                             {}}));
  };
  EXPECT_THAT(when(0), ElementsAre(us(24), us(0), us(32.1), us(0)));
  EXPECT_THAT(when(1), ElementsAre(us(24), us(0), us(33.1), us(0))) << "the second message, and then the first";
}

// A probe finds a message when it is sent. Its bytes come later.
TEST(Waits, AProbeFindsAMessageThatIsUnderWay) {
  const TraceStep probe{.kind = TraceStep::Kind::kArrival, .peer = 2};
  const auto when = [&](double bytes, const std::vector<TraceStep>& then) {
    std::vector<TraceStep> receiver = {probe};
    receiver.insert(receiver.end(), then.begin(), then.end());
    return ends_us(trace_of({{sleep_us(7), send(2, bytes), wait(1)}, {}, receiver, {}}));
  };
  EXPECT_THAT(when(kShort, {receive(2, kShort), wait(1)})[2], us(7 + 10.1));
  EXPECT_THAT(when(kShort, {sleep_us(1), receive(2, kShort), wait(1)})[2], us(7 + 10.1)) << "it has begun to flow";
  EXPECT_THAT(when(kShort, {})[2], us(7 + 2)) << "its sender has spent the overhead";
  // A long message is found before it flows: it waits for the receive.
  EXPECT_THAT(when(1984, {sleep_us(1), receive(2, 1984), wait(1)}), ElementsAre(us(18), us(0), us(18), us(0)));
}

}  // namespace
}  // namespace strata::replay
