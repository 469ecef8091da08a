// SPDX-License-Identifier: LGPL-2.1-only
// The protocols of a replay alone: who is woken, in which order, by locks, requests and meetings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "platforms/machine.h"
#include "replay/kernel.h"
#include "replay/locks.h"
#include "replay/meetings.h"
#include "replay/prepared_trace.h"
#include "replay/requests.h"
#include "tests/process/process.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Protocols : public ::testing::Test {
 protected:
  // The ranks that have been woken since the last call.
  std::vector<int> woken() {
    std::vector<int> ranks;
    kernel_.next_round([&](int rank) { ranks.push_back(rank); });
    return ranks;
  }

  const Machine machine_ = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  const std::vector<int> cores_ = {0, 1, 2, 3};
  Observer nobody_;
  Kernel kernel_{machine_, cores_, nobody_};
};

TEST_F(Protocols, ALockGoesToTheRanksInTheOrderInWhichTheyCame) {
  Locks locks(kernel_);
  Lock lock, other;
  for (const int rank : {3, 1, 2}) locks.lock(lock, rank);
  EXPECT_THAT(woken(), ElementsAre(3));
  locks.lock(other, 0);
  EXPECT_THAT(woken(), ElementsAre(0)) << "another lock is free";
  EXPECT_THROW(locks.unlock(lock, 1), InputError) << "rank 3 has it";
  locks.unlock(lock, 3);
  EXPECT_THAT(woken(), ElementsAre(1, 3));
  locks.lock(lock, 3);
  EXPECT_THAT(woken(), IsEmpty());
  locks.unlock(lock, 1);
  EXPECT_THAT(woken(), ElementsAre(2, 1));
  locks.unlock(lock, 2);
  EXPECT_THAT(woken(), ElementsAre(3, 2));
  locks.unlock(lock, 3);
  EXPECT_THAT(woken(), ElementsAre(3));
  EXPECT_EQ(lock.owner, Lock::kNobody);
}

class RequestsTest : public Protocols {
 protected:
  // Each rank remembers its last two requests.
  const Programs programs_{trace_of({4, {wait(2)}})};
  Requests requests_{kernel_, programs_};
};

TEST_F(RequestsTest, ARankIsToldOfOneCompleteRequestAtATime) {
  const auto first = requests_.start(3, {}), second = requests_.start(3, {.done = true});
  for (const auto request : {first, second}) requests_.await(3, request);
  EXPECT_TRUE(requests_.is_waiting(3));
  EXPECT_THAT(woken(), IsEmpty());
  requests_.resume(3);
  EXPECT_THAT(woken(), ElementsAre(3)) << "the second is complete";
  EXPECT_TRUE(requests_.is_waiting(3));
  EXPECT_EQ(requests_.waits_for(3), Requests::kNone) << "it is not blocked";
  requests_.resume(3);
  EXPECT_THAT(woken(), IsEmpty());
  EXPECT_EQ(requests_.waits_for(3), first);
  requests_.complete(3, first);
  EXPECT_THAT(woken(), ElementsAre(3));
  EXPECT_FALSE(requests_.is_waiting(3));
  requests_.complete(3, first);
  EXPECT_THAT(woken(), IsEmpty()) << "no rank waits for it any longer";
}

TEST_F(RequestsTest, WhatLeftAtOnceOrIsForgottenIsNotWaitedFor) {
  const auto left = requests_.start(0, {.done = true, .left_at_once = true}), old = requests_.start(0, {});
  requests_.await(0, left);
  EXPECT_FALSE(requests_.is_waiting(0));
  requests_.start(0, {});
  const auto recent = requests_.start(0, {});
  EXPECT_EQ(recent, requests_.started(0) - 1);
  requests_.complete(0, old);
  requests_.await(0, old);
  EXPECT_FALSE(requests_.is_waiting(0)) << "its place was needed";
  requests_.await(0, recent);
  EXPECT_TRUE(requests_.is_waiting(0));
}

TEST_F(RequestsTest, TheLastAcknowledgementCounts) {
  const auto first = requests_.start(1, {}), second = requests_.start(1, {});
  for (const auto request : {first, second}) requests_.await(1, request);
  requests_.complete(1, second, {.acknowledged_s = 2.5});
  requests_.complete(1, first, {.acknowledged_s = 1.5});
  EXPECT_EQ(requests_.take_acknowledged(1), 2.5);
  EXPECT_EQ(requests_.take_acknowledged(1), 0);
}

TEST_F(RequestsTest, AnyRankCanWaitForWhatAWindowKeeps) {
  const int pending = requests_.keep(false), done = requests_.keep(true);
  requests_.await_kept(2, pending);
  requests_.await_kept(2, done);
  requests_.resume(2);
  EXPECT_THAT(woken(), ElementsAre(2));
  requests_.resume(2);
  EXPECT_THAT(woken(), IsEmpty());
  EXPECT_EQ(requests_.waits_for(2), Requests::kOneOfAWindow);
  requests_.complete_kept(pending);
  EXPECT_THAT(woken(), ElementsAre(2));
  EXPECT_FALSE(requests_.is_waiting(2));
  const int again = requests_.keep(false);
  EXPECT_TRUE(again == pending || again == done) << "their places are free";
}

TEST_F(Protocols, AMeetingEndsWhenTheLastHasCome) {
  Meetings meetings({{0, 1, 2}, {1, 2}});
  for (int meeting = 0; meeting < 2; ++meeting) {
    EXPECT_THAT(meetings.meet(0, 2), IsEmpty());
    EXPECT_THAT(meetings.meet(1, 1), IsEmpty());
    EXPECT_THAT(meetings.meet(0, 0), IsEmpty());
    EXPECT_THAT(meetings.meet(0, 1), ElementsAre(2, 0, 1));
    EXPECT_THAT(meetings.meet(1, 2), ElementsAre(1, 2));
  }
}

TEST_F(Protocols, AStartBelongsToItsReadingOfTheClock) {
  Meetings meetings({{0, 1}});
  meetings.read_clock(0, 0, 0.5);
  meetings.read_clock(0, 1, 0.75);
  meetings.read_clock(0, 0, 2);  // rank 0's second, before rank 1 has started for the first time
  EXPECT_EQ(meetings.start_of(0, 0), 1.75);
  EXPECT_EQ(meetings.start_of(0, 1), 1.75);
  meetings.read_clock(0, 1, 1.9);
  EXPECT_EQ(meetings.start_of(0, 1), 3);
  EXPECT_EQ(meetings.start_of(0, 0), 3);
  EXPECT_THROW(meetings.start_of(0, 0), InputError);
}

TEST_F(Protocols, WorkAndSleepEndAfterTheirTime) {
  kernel_.sleep_for(1, 2);
  kernel_.compute(0, machine_.core_speed.si);
  kernel_.compute(2, 0);
  EXPECT_THAT(woken(), ElementsAre(2)) << "no work takes no time";
  const auto no_message = [](int message) { FAIL() << message; };
  EXPECT_TRUE(kernel_.advance(no_message));
  EXPECT_DOUBLE_EQ(kernel_.now(), 1);
  EXPECT_THAT(woken(), ElementsAre(0));
  EXPECT_TRUE(kernel_.advance(no_message));
  EXPECT_DOUBLE_EQ(kernel_.now(), 2);
  EXPECT_THAT(woken(), ElementsAre(1));
  EXPECT_FALSE(kernel_.advance(no_message)) << "nothing will ever end";
}

// As in SimGrid: sleepers in reverse order of their beginning, then computations in order of it.
TEST_F(Protocols, ThoseThatEndTogetherHaveAnOrder) {
  kernel_.compute(3, machine_.core_speed.si);
  for (const int rank : {1, 2}) kernel_.sleep_for(rank, 1);
  kernel_.compute(0, machine_.core_speed.si);
  EXPECT_TRUE(kernel_.advance([](int message) { FAIL() << message; }));
  EXPECT_DOUBLE_EQ(kernel_.now(), 1);
  EXPECT_THAT(woken(), ElementsAre(2, 1, 3, 0));
}

}  // namespace
}  // namespace strata::replay
