// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/guidelines.h"

#include <gtest/gtest.h>

#include <map>

namespace strata::collectives {
namespace {

using O = Operation;

TimeOf by_table(const std::map<Cell, double>& times) {
  return [times](const Cell& cell) {
    const auto at = times.find(cell);
    return at == times.end() ? std::nullopt : std::optional(at->second);
  };
}

TEST(Guidelines, AnAllreduceIsNotSlowerThanItsTwoParts) {
  const std::vector<Cell> cells = {{O::kAllreduce, 8, 64}};
  std::map<Cell, double> times = {{{O::kAllreduce, 8, 64}, 5}, {{O::kReduce, 8, 64}, 2}, {{O::kBcast, 8, 64}, 2.9}};
  EXPECT_TRUE(violations(cells, by_table(times), 0.05).empty());  // 5 <= 1.05 * 4.9
  const std::vector<Violation> found = violations(cells, by_table(times), 0.01);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].guideline, "allreduce(n) <= reduce(n) + bcast(n)");
  EXPECT_EQ(found[0].cell, cells[0]);
  EXPECT_DOUBLE_EQ(found[0].left_s, 5);
  EXPECT_DOUBLE_EQ(found[0].right_s, 4.9);
  times.erase({O::kBcast, 8, 64});  // a time is missing
  EXPECT_TRUE(violations(cells, by_table(times), 0.01).empty());
}

// A broadcast of 65 B to 8 ranks scatters and gathers blocks of 9 B; an allgather broadcasts the data of all ranks.
TEST(Guidelines, PartsHaveTheirOwnSizes) {
  EXPECT_EQ(further_cells({{O::kBcast, 8, 65}}), (std::vector<Cell>{{O::kAllgather, 8, 9}, {O::kScatter, 8, 9}}));
  EXPECT_EQ(further_cells({{O::kAllgather, 8, 10}, {O::kGather, 8, 10}}), (std::vector<Cell>{{O::kBcast, 8, 80}}));
  EXPECT_EQ(further_cells({{O::kReduceScatterBlock, 8, 16}}),
            (std::vector<Cell>{{O::kReduce, 8, 128}, {O::kScatter, 8, 16}}));
  const std::vector<Violation> found =
      violations({{O::kScatter, 8, 10}}, by_table({{{O::kScatter, 8, 10}, 3}, {{O::kBcast, 8, 80}, 1}}), 0.05);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].guideline, "scatter(b) <= bcast(pb)");
}

TEST(Guidelines, ALongerMessageIsNotFaster) {
  const std::vector<Cell> cells = {{O::kAlltoall, 8, 64}, {O::kAlltoall, 8, 8}, {O::kAlltoall, 4, 8}};
  const std::map<Cell, double> times = {{cells[0], 1}, {cells[1], 2}, {cells[2], 9}};
  const std::vector<Violation> found = violations(cells, by_table(times), 0.05);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].guideline, "alltoall(n) <= alltoall(m) for n < m");
  EXPECT_EQ(found[0].cell, (Cell{O::kAlltoall, 8, 8}));
  EXPECT_DOUBLE_EQ(found[0].right_s, 1);
}

}  // namespace
}  // namespace strata::collectives
