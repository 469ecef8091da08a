// SPDX-License-Identifier: LGPL-2.1-only
// The errors of a replay in which no rank can continue, word by word.
#include "replay/deadlock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "tests/replay/small_machine.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using Kind = TraceStep::Kind;
using ::testing::HasSubstr;

std::string refusal(const Trace& trace) {
  try {
    replay(trace, small_machine(), trace.cores);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

std::string stuck(const std::string& waits) {
  return "trace: no rank can go on: " + waits + "; the program deadlocks, or it did when it was recorded";
}

TEST(Deadlock, EachRankSaysForWhichMessageItWaits) {
  EXPECT_EQ(refusal(trace_of({{receive(1, 8), wait(1)}, {receive(1, 2000), wait(1)}})),
            stuck("rank 0 waits for rank 1 (receive of up to 8 B), rank 1 waits for rank 0 (receive of up to 2000 B)"));
  // Two long blocking sends to each other. Two short ones leave at once.
  EXPECT_EQ(refusal(trace_of({{send(1, 2000), wait(1), receive(1, 2000), wait(1)},
                              {send(1, 2000), wait(1), receive(1, 2000), wait(1)}})),
            stuck("rank 0 waits for rank 1 (send of 2000 B), rank 1 waits for rank 0 (send of 2000 B)"));
  EXPECT_EQ(refusal(trace_of({{send(1, 999), wait(1), receive(1, 999), wait(1)},
                              {send(1, 999), wait(1), receive(1, 999), wait(1)}})),
            "");
  EXPECT_EQ(refusal(trace_of({{send(1, 8, TraceStep::kSynchronous), wait(1)}, {}})),
            stuck("rank 0 waits for rank 1 (send of 8 B)"))
      << "rank 1 has ended";
}

TEST(Deadlock, ARingNamesItsFirstRanks) {
  const std::vector<TraceStep> left = {receive(4, 8), wait(1), send(1, 8), wait(1)};
  EXPECT_EQ(refusal(trace_of({left, left, left, left, left})),
            stuck("rank 0 waits for rank 4 (receive of up to 8 B), rank 1 waits for rank 0 (receive of up to 8 B), "
                  "rank 2 waits for rank 1 (receive of up to 8 B) and 2 more"));
}

TEST(Deadlock, WaitsWithoutARequest) {
  const std::string elsewhere = " waits at a barrier, a lock or a probe";
  const TraceStep lock{.kind = Kind::kLock, .number = 0};
  EXPECT_EQ(refusal(trace_of({{meet()}, {}})), stuck("rank 0" + elsewhere));
  EXPECT_EQ(refusal(trace_of({{lock, lock}})), stuck("rank 0" + elsewhere));
  EXPECT_EQ(refusal(trace_of({{{.kind = Kind::kArrival, .peer = 1}}, {}})), stuck("rank 0" + elsewhere));
}

TEST(Deadlock, ARequestOfAWindowHasNoPeer) {
  try {
    fail_stuck({{.rank = 7, .has_request = true}});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()), stuck("rank 7 waits for a request"));
  }
}

TEST(Deadlock, RanksThatHaveEndedAreNotNamed) {
  EXPECT_EQ(refusal(trace_of({{sleep(1)}, {receive(1, 8), wait(1)}, {sleep(2)}})),
            stuck("rank 1 waits for rank 2 (receive of up to 8 B)"));
}

TEST(Deadlock, AStartWithoutAReadingOfTheClock) {
  EXPECT_THAT(refusal(trace_of({{{.kind = Kind::kStartTogether, .number = 0}}, {}})),
              HasSubstr("rank 0 starts together with others that have not read the clock"));
}

}  // namespace
}  // namespace strata::replay
