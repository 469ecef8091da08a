// SPDX-License-Identifier: LGPL-2.1-only
// Recordings of a real MPI library (Trace::native): when long messages begin to flow, and in which order messages of a
// pair arrive.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "replay/history.h"
#include "replay/replayed_path.h"
#include "tests/replay/small_machine.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

auto us(double microseconds) { return DoubleNear(microseconds, 1e-5); }

// Between nodes. The sender is busy for 2 us of them if it does not wait for its receiver.
constexpr double kShort = 84;    // 10.1 us
constexpr double kMedium = 884;  // 10.9 us
constexpr double kLong = 9984;   // 20 us, and 18 us from the time at which both sides are ready

TraceStep sleep_us(double microseconds) { return sleep(microseconds * kMicrosecond); }
TraceStep isend(int peer, double bytes) { return send(peer, bytes, TraceStep::kImmediate); }

Trace native(const std::vector<std::vector<TraceStep>>& ranks) {
  Trace t = trace_of(ranks);
  t.native = true;
  return t;
}

// Rank 0 sends a long message to rank 2, on the other node; rank 3, beside it, may send a short one.
std::vector<std::vector<TraceStep>> receiver_does(const std::vector<TraceStep>& steps,
                                                  const std::vector<TraceStep>& neighbour = {}) {
  return {{send(2, kLong), wait(1)}, {}, steps, neighbour};
}

TEST(RealLibrary, ALongMessageFlowsWhileItsReceiverWaits) {
  const auto ranks = receiver_does({receive(2, kLong), sleep_us(50), wait(1)});
  EXPECT_THAT(ends_us(trace_of(ranks)), ElementsAre(us(18), 0, us(50), 0)) << "SMPI: once its receive is posted";
  EXPECT_THAT(ends_us(native(ranks)), ElementsAre(us(68), 0, us(68), 0));
}

TEST(RealLibrary, AMessageThatHasBeenSeenFlowsWhenItsReceiveIsPosted) {
  // Rank 2 sees it while it waits for rank 3.
  const std::vector<double> ends =
      ends_us(native(receiver_does({receive(1, kShort), wait(1), receive(2, kLong), sleep_us(50), wait(1)},
                                   {sleep_us(5), send(3, kShort), wait(1)})));
  constexpr double kSeen = 5 + 1 + 0.025;
  EXPECT_THAT(ends[0], us(kSeen + 18));
  EXPECT_THAT(ends[2], us(kSeen + 50));
}

TEST(RealLibrary, AWaitForAMessageThatIsThereShowsAllOthers) {
  const std::vector<double> ends = ends_us(
      native(receiver_does({receive(1, kShort), receive(2, kLong), sleep_us(50), wait(2), sleep_us(50), wait(1)},
                           {send(3, kShort), wait(1)})));
  EXPECT_THAT(ends[0], us(50 + 18));
  EXPECT_THAT(ends[2], us(100));
}

TEST(RealLibrary, ARankThatHasEndedTakesMessages) {
  EXPECT_THAT(ends_us(native(receiver_does({receive(2, kLong), sleep_us(50)})))[0], us(68));
}

// The first message takes longer on its way, or waits for its receiver.
std::vector<std::vector<TraceStep>> two_messages(double first, double second, bool second_is_first_to_be_awaited) {
  std::vector<TraceStep> receiver = {receive(2, first), receive(2, second)};
  receiver.push_back(wait(second_is_first_to_be_awaited ? 1 : 2));
  return {{isend(2, first), isend(2, second), wait(1), wait(2)}, {}, receiver, {}};
}

TEST(RealLibrary, AShortMessageDoesNotOvertake) {
  constexpr double kEager = 999;
  // Sent 2 us after the first, it would arrive after 2 + 10.016 us.
  EXPECT_THAT(ends_us(trace_of(two_messages(kEager, 0, true)))[2], us(2 + 10.016));
  EXPECT_THAT(ends_us(native(two_messages(kEager, 0, true)))[2], us(2 + 10.016)) << "the first one is there before";
  // A long message is known at once, and the short one behind it need not wait for its bytes.
  EXPECT_LT(ends_us(native(two_messages(kLong, 0, true)))[2], 20);
}

// A long message behind one that is under way is not known before that one is there.
TEST(RealLibrary, ALongMessageIsSeenAfterTheOneBeforeIt) {
  EXPECT_LT(ends_us(trace_of(two_messages(kMedium, kLong, true)))[2], 10.9 + 18);
  EXPECT_THAT(ends_us(native(two_messages(kMedium, kLong, true)))[2], us(10.9 + 18));
}

// Its receiver, which has slept for 50 us, and not its sender decides when it flows.
TEST(RealLibrary, TheCriticalPathOfALongMessageComesFromItsReceiver) {
  const Trace t = native(receiver_does({receive(2, kLong), sleep_us(50), wait(1)}));
  const Machine m = small_machine();
  History history;
  replay(t, m, t.cores, {.history = &history});
  const std::vector<PathStep> steps = critical_steps(history);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].does, PathStep::Does::kWork);
  EXPECT_EQ(steps[0].rank, 2);
  EXPECT_THAT(steps[0].to / kMicrosecond, us(50));
  EXPECT_EQ(steps[1].does, PathStep::Does::kMessage);
}

}  // namespace
}  // namespace strata::replay
