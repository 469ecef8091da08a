// SPDX-License-Identifier: LGPL-2.1-only
// Times of one-sided operations, worked out from the figures of small_machine.h: who waits for which operation, and the
// order in which ranks get a window's lock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "replay/history.h"
#include "tests/replay/small_machine.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using Kind = TraceStep::Kind;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

auto us(double microseconds) { return DoubleNear(microseconds, 1e-5); }

TraceStep sleep_us(double microseconds) { return sleep(microseconds * kMicrosecond); }
TraceStep put(int peer, double bytes) { return {.kind = Kind::kPut, .peer = peer, .amount = bytes}; }
TraceStep get(int peer, double bytes) { return {.kind = Kind::kGet, .peer = peer, .amount = bytes}; }
TraceStep flush(int peer) { return {.kind = Kind::kFlush, .peer = peer}; }
TraceStep lock(int peer, int number = 0) { return {.kind = Kind::kLock, .peer = peer, .number = number}; }
TraceStep unlock(int peer, int number = 0) { return {.kind = Kind::kUnlock, .peer = peer, .number = number}; }

TEST(OneSidedTimes, APutTakesTheTimeOfAMessage) {
  EXPECT_THAT(ends_us(trace_of({{put(2, 84)}, {}, {}, {}}))[0], us(2)) << "its overhead";
  EXPECT_THAT(ends_us(trace_of({{put(2, 84), flush(2)}, {}, {}, {}}))[0], us(10.1));
  EXPECT_THAT(ends_us(trace_of({{put(2, 1984), flush(2)}, {}, {}, {}}))[0], us(12)) << "it waits for no receiver";
  EXPECT_THAT(ends_us(trace_of({{put(1, 84), flush(1)}, {}, {}, {}}))[0], us(1.025));
}

TEST(OneSidedTimes, AGetTakesTheTimeOfAMessage) {
  EXPECT_THAT(ends_us(trace_of({{get(2, 84)}, {}, {}, {}}))[0], us(2));
  EXPECT_THAT(ends_us(trace_of({{get(2, 84), flush(0)}, {}, {}, {}}))[0], us(10.1));
  EXPECT_THAT(ends_us(trace_of({{get(2, 84), sleep_us(20), flush(0)}, {}, {}, {}}))[0], us(22)) << "it is there";
}

TEST(OneSidedTimes, AFlushOfOneRankWaitsOnlyForItsOperations) {
  // Rank 0 puts 100 000 B, rank 1 puts 100 B; both flow from 10 us on, at half of the link until 10.2 us.
  const auto when = [](const TraceStep& wait) {
    return ends_us(trace_of({{put(2, 99'984)}, {put(1, 84)}, {sleep_us(5), wait}, {}}))[2];
  };
  const auto flush_one = [](int rank) { return TraceStep{.kind = Kind::kFlushOne, .tag = rank - 2 + 4}; };
  EXPECT_THAT(when(flush_one(1)), us(10.2));
  EXPECT_THAT(when(flush_one(0)), us(10.2 + 99.9));
  EXPECT_THAT(when(flush_one(3)), us(5)) << "it has put nothing";
  EXPECT_THAT(when(flush(0)), us(10.2 + 99.9));
}

// Each rank holds the lock for 10 us. They get it in the order in which they came.
TEST(OneSidedTimes, ALockGoesToTheRankThatCameFirst) {
  const auto holder = [](int rank, double from_us) {
    return std::vector<TraceStep>{sleep_us(from_us), lock((4 - rank) % 4), sleep_us(10), unlock((4 - rank) % 4)};
  };
  EXPECT_THAT(ends_us(trace_of({holder(0, 3), holder(1, 1), holder(2, 4), holder(3, 2)})),
              ElementsAre(us(31), us(11), us(41), us(21)));
  EXPECT_THAT(ends_us(trace_of({holder(0, 0), holder(1, 20), holder(2, 40), holder(3, 45)})),
              ElementsAre(us(10), us(30), us(50), us(60)));
}

// A rank that releases a lock and wants it again gets it after those that wait.
TEST(OneSidedTimes, ALockIsFair) {
  EXPECT_THAT(ends_us(trace_of({{repeat(3, 3), lock(0), sleep_us(10), unlock(0)},
                                {repeat(2, 3), lock(3), sleep_us(10), unlock(3)},
                                {},
                                {}})),
              ElementsAre(us(50), us(40), us(0), us(0)));
}

TEST(OneSidedTimes, AWindowHasTwoLocks) {
  EXPECT_THAT(ends_us(trace_of({{lock(0, 0), sleep_us(10), unlock(0, 0)},
                                {lock(3, 1), sleep_us(10), unlock(3, 1)},
                                {lock(2, 2), sleep_us(10), unlock(2, 2)},
                                {lock(1, 0), sleep_us(10), unlock(1, 0)}})),
              ElementsAre(us(10), us(10), us(10), us(20)));
}

TEST(OneSided, HasNoHistory) {
  const Trace t = trace_of({{put(2, 84)}, {}, {}, {}});
  History history;
  try {
    replay(t, small_machine(), t.cores, {.history = &history});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(std::string(e.what()), HasSubstr("has one-sided communication, whose waits have no history"));
  }
}

}  // namespace
}  // namespace strata::replay
