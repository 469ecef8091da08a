// SPDX-License-Identifier: LGPL-2.1-only
// The calls of a recorded program as cells.
#include "collectives/tuning/called.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace strata::collectives {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::vector<int> first_ranks(int number) {
  std::vector<int> ranks(number);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Trace program(std::vector<CollectiveCalls> calls) {
  Trace t;
  t.communicators = {first_ranks(16), {4, 5, 6, 7}, {3, 2, 1, 0}, {9}};
  t.collectives = std::move(calls);
  return t;
}

TEST(Called, AddsUpCommunicatorsOfTheSameSize) {
  const Called called = called_of(
      program({{"MPI_Bcast", 1, 8, 10}, {"MPI_Bcast", 2, 8, 30}, {"MPI_Bcast", 1, 9, 5}, {"MPI_Barrier", 0, 0, 7}}));
  ASSERT_EQ(called.cells.size(), 3u);
  EXPECT_EQ(called.cells[0].cell, (Cell{Operation::kBarrier, 16, 0}));
  EXPECT_EQ(called.cells[0].calls, 7);
  EXPECT_EQ(called.cells[1].cell, (Cell{Operation::kBcast, 4, 8}));
  EXPECT_EQ(called.cells[1].calls, 40);
  EXPECT_EQ(called.cells[2].cell, (Cell{Operation::kBcast, 4, 9}));
  EXPECT_THAT(called.members, ElementsAre(Pair(4, ElementsAre(3, 2, 1, 0)), Pair(16, first_ranks(16))));
  EXPECT_FALSE(called.are_merged);
}

TEST(Called, LeavesOutWhatSendsNothing) {
  const Called called = called_of(program({{"MPI_Bcast", 3, 8, 1}, {"MPI_Bcast", 0, 0, 1}}));
  EXPECT_THAT(called.cells, IsEmpty());
  EXPECT_THAT(called.members, IsEmpty());
}

TEST(Called, ListsFunctionsWithoutRules) {
  const Called called =
      called_of(program({{"MPI_Gatherv", 0, 0, 2}, {"MPI_Gatherv", 1, 0, 3}, {"MPI_Iallreduce", 0, 0, 4}}));
  EXPECT_THAT(called.cells, IsEmpty());
  EXPECT_THAT(called.others, ElementsAre(Pair("MPI_Gatherv", 5), Pair("MPI_Iallreduce", 4)));
}

TEST(Called, RoundsReductionsUpToFloats) {
  const Called called = called_of(program({{"MPI_Reduce", 0, 5, 1}, {"MPI_Reduce", 0, 8, 2}}));
  ASSERT_EQ(called.cells.size(), 1u);
  EXPECT_EQ(called.cells[0].cell.bytes, 8);
  EXPECT_EQ(called.cells[0].calls, 3);
}

// 1 to 1,000 B, with as many calls: of 257 to 512 B, for example, 384.5 B on average, 256 calls times their number.
TEST(Called, MergesManySizes) {
  std::vector<CollectiveCalls> calls;
  for (std::int64_t bytes = 1; bytes <= 1000; ++bytes) calls.push_back({"MPI_Bcast", 0, bytes, 3});
  const Called called = called_of(program(calls));
  EXPECT_TRUE(called.are_merged);
  ASSERT_EQ(called.cells.size(), 11u);  // 1, 2, 3 to 4, ..., 513 to 1,000
  EXPECT_EQ(called.cells[9].cell.bytes, 384);
  EXPECT_EQ(called.cells[9].calls, 3 * 256);
  std::int64_t all = 0;
  for (const CalledCell& c : called.cells) all += c.calls;
  EXPECT_EQ(all, 3000);
}

}  // namespace
}  // namespace strata::collectives
