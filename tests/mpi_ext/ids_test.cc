// SPDX-License-Identifier: LGPL-2.1-only
// Ids of communicators: which communicator looks for one, and which has to wait.
#include "mpi_ext/nbc/ids.h"

#include <gtest/gtest.h>

#include <optional>

namespace strata::mpix {
namespace {

bool may_borrow(Ids& ids, Ids::Turn turn) {
  bool borrowed = false;
  ids.borrow(turn, borrowed);
  return borrowed;
}

TEST(Ids, OneThreadLooksAtATime) {
  Ids ids;
  EXPECT_TRUE(may_borrow(ids, Ids::kNoTurn));
  EXPECT_FALSE(may_borrow(ids, Ids::kNoTurn));
  ids.give_back(-1);
  EXPECT_TRUE(may_borrow(ids, Ids::kNoTurn));
}

TEST(Ids, WhatIsTakenIsNotFree) {
  Ids ids;
  bool borrowed = false;
  EXPECT_EQ(ids.borrow(Ids::kNoTurn, borrowed)[1], ~std::uint64_t{0});
  ids.give_back(65);
  EXPECT_EQ(ids.borrow(Ids::kNoTurn, borrowed)[1], ~std::uint64_t{2});
  ids.give_back(-1);
  ids.release(65);
  EXPECT_EQ(ids.borrow(Ids::kNoTurn, borrowed)[1], ~std::uint64_t{0});
}

TEST(Ids, TurnsRiseAndDifferBetweenProcesses) {
  Ids a, b;
  const Ids::Turn first = a.next_turn(3);
  EXPECT_LT(first, a.next_turn(3));
  EXPECT_NE(first, b.next_turn(4));
  EXPECT_LT(a.next_turn(3), Ids::kNoTurn);
}

// Two processes are members of communicators a and b. In one of them a asks for an id first, in the other b, so neither
// gets one. Without turns both could ask again and again in this way, forever.
TEST(Ids, TheLeastTurnIsSeenFirstEverywhere) {
  Ids here, there;
  ASSERT_TRUE(may_borrow(here, Ids::kNoTurn));    // a
  ASSERT_TRUE(may_borrow(there, Ids::kNoTurn));   // b
  ASSERT_FALSE(may_borrow(here, Ids::kNoTurn));   // b
  ASSERT_FALSE(may_borrow(there, Ids::kNoTurn));  // a
  here.give_back(-1);
  there.give_back(-1);
  const Ids::Turn a = here.next_turn(0), b = there.next_turn(1);
  std::optional<Ids::Waiting> a_here(std::in_place, here, a), a_there(std::in_place, there, a);
  const Ids::Waiting b_here(here, b), b_there(there, b);
  EXPECT_FALSE(may_borrow(there, b));
  EXPECT_FALSE(may_borrow(here, b));
  EXPECT_FALSE(may_borrow(here, Ids::kNoTurn));  // one that asks for the first time
  EXPECT_TRUE(may_borrow(here, a));
  EXPECT_TRUE(may_borrow(there, a));
  here.give_back(0);
  there.give_back(0);
  a_here.reset();
  a_there.reset();
  EXPECT_TRUE(may_borrow(here, b));
  EXPECT_TRUE(may_borrow(there, b));
}

}  // namespace
}  // namespace strata::mpix
