// SPDX-License-Identifier: LGPL-2.1-only
// CG's process grid: its exchanges, carried out one after the other on integers, give the matrix-vector product for
// every power of two up to 1,024 processes. The figures of small grids are those read off the benchmark by hand.
#include "scenarios/programs/cg_grid.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace strata::programs {
namespace {

std::vector<CgShare> shares_of(int n, int processes) {
  std::vector<CgShare> shares;
  for (int r = 0; r < processes; ++r) shares.push_back(cg_share(n, processes, r));
  return shares;
}

// Values without symmetries.
long element(int i, int j) { return (i * 2654435761L + j * 40503L) % 1009; }
long operand(int j) { return (j * 7919L) % 613; }

// Orders that the grids divide and orders that they do not, including the smallest.
std::vector<int> orders(int processes) {
  const int columns = cg_share(1024, processes, 0).grid_columns;
  return {columns, columns + 1, 2 * columns + 1, 3 * columns - 1, 4 * columns, 67};
}

TEST(CgGrid, ProductsComeOutRight) {
  for (int processes = 1; processes <= 1024; processes *= 2) {
    for (const int n : orders(processes)) {
      const std::vector<CgShare> shares = shares_of(n, processes);
      std::vector<std::vector<long>> w, q;
      for (const CgShare& s : shares) {
        w.emplace_back();
        for (int i = s.rows.first; i < s.rows.end(); ++i) {
          long sum = 0;
          for (int j = s.columns.first; j < s.columns.end(); ++j) sum += element(i, j) * operand(j);
          w.back().push_back(sum);
        }
      }
      const std::size_t stages = shares[0].stages.size();
      for (std::size_t k = stages; k-- > 0;) {
        const std::vector<std::vector<long>> before = w;
        for (int r = 0; r < processes; ++r) {
          const CgStage& mine = shares[r].stages[k];
          const CgStage& theirs = shares[mine.partner].stages[k];
          ASSERT_EQ(theirs.partner, r);
          ASSERT_EQ(mine.received, theirs.sent) << processes << " " << n;  // for the same rows
          for (int i = mine.received.first; i < mine.received.end(); ++i) w[r][i] += before[mine.partner][i];
        }
      }
      for (int r = 0; r < processes; ++r) {
        const CgShare& from = shares[shares[r].transpose];
        ASSERT_EQ(from.transpose, r);
        ASSERT_EQ(from.rows.first + from.transposed.first, shares[r].columns.first) << processes << " " << n;
        ASSERT_EQ(from.transposed.count, shares[r].columns.count);
        for (int k = 0; k < shares[r].columns.count; ++k) {
          const int i = shares[r].columns.first + k;
          long expected = 0;
          for (int j = 0; j < n; ++j) expected += element(i, j) * operand(j);
          ASSERT_EQ(w[shares[r].transpose][from.transposed.first + k], expected)
              << processes << " processes, order " << n << ", rank " << r;
        }
      }
    }
  }
}

// Each column's part counts once: the sum over the columns of a row reaches every process.
TEST(CgGrid, ScalarsAreSumsOverARow) {
  for (int processes = 1; processes <= 1024; processes *= 2) {
    const std::vector<CgShare> shares = shares_of(2048, processes);
    std::vector<long> value;
    for (const CgShare& s : shares) value.push_back(s.columns.first * 1000003L + s.columns.count);
    long expected = 0;
    for (int c = 0; c < shares[0].grid_columns; ++c) expected += value[c];
    for (std::size_t k = 0; k < shares[0].stages.size(); ++k) {
      const std::vector<long> before = value;
      for (int r = 0; r < processes; ++r) value[r] += before[shares[r].stages[k].partner];
    }
    for (const long v : value) ASSERT_EQ(v, expected) << processes;
  }
}

TEST(CgGrid, BlocksTileTheMatrix) {
  for (int processes = 1; processes <= 1024; processes *= 2) {
    for (const int n : orders(processes)) {
      const std::vector<CgShare> shares = shares_of(n, processes);
      const int columns = shares[0].grid_columns;
      ASSERT_EQ(shares[0].grid_rows * columns, processes);
      ASSERT_TRUE(columns == shares[0].grid_rows || columns == 2 * shares[0].grid_rows);
      int row_end = 0;
      for (int r = 0; r < processes; r += columns) {
        int column_end = 0;
        for (int c = 0; c < columns; ++c) {
          ASSERT_EQ(shares[r + c].rows.first, row_end);
          ASSERT_EQ(shares[r + c].columns.first, column_end);
          ASSERT_GT(shares[r + c].columns.count, 0);
          column_end = shares[r + c].columns.end();
        }
        ASSERT_EQ(column_end, n);
        row_end = shares[r].rows.end();
      }
      ASSERT_EQ(row_end, n);
    }
  }
}

// Eight processes, two rows of four, order 10: row parts of 5; column parts of 3 and 2.
TEST(CgGrid, EightProcessesAsReadByHand) {
  const CgShare s = cg_share(10, 8, 6);  // row 1, column 2
  EXPECT_EQ(s.grid_rows, 2);
  EXPECT_EQ(s.grid_columns, 4);
  EXPECT_EQ(s.rows, (CgRange{5, 5}));
  EXPECT_EQ(s.columns, (CgRange{5, 3}));
  EXPECT_EQ(s.transposed, (CgRange{0, 3}));
  EXPECT_EQ(s.transpose, 6);
  ASSERT_EQ(s.stages.size(), 2u);
  EXPECT_EQ(s.stages[0].partner, 4);
  EXPECT_EQ(s.stages[0].sent, (CgRange{0, 3}));
  EXPECT_EQ(s.stages[1].partner, 7);
  EXPECT_EQ(s.stages[1].sent, (CgRange{3, 2}));
  EXPECT_EQ(s.stages[1].received, (CgRange{0, 3}));
  EXPECT_EQ(cg_share(10, 8, 2).transpose, 4);
  EXPECT_EQ(cg_share(10, 8, 3).transpose, 5);
}

// Sixteen processes, four by four, order 10: parts of 3, 3, 2, 2.
TEST(CgGrid, SixteenProcessesAsReadByHand) {
  const CgShare s = cg_share(10, 16, 7);  // row 1, column 3
  EXPECT_EQ(s.rows, (CgRange{3, 3}));
  EXPECT_EQ(s.columns, (CgRange{8, 2}));
  EXPECT_EQ(s.transpose, 13);
  ASSERT_EQ(s.stages.size(), 2u);
  EXPECT_EQ(s.stages[0].partner, 5);
  EXPECT_EQ(s.stages[1].partner, 6);
  for (const CgStage& stage : s.stages) {
    EXPECT_EQ(stage.sent, (CgRange{0, 3}));
    EXPECT_EQ(stage.received, (CgRange{0, 3}));
  }
}

TEST(CgGrid, RefusesWhatItCannotSpread) {
  for (const int processes : {0, -1, 3, 6, 12, 100}) {
    EXPECT_THROW(cg_share(1400, processes, 0), std::invalid_argument) << processes;
  }
  EXPECT_THROW(cg_share(3, 8, 0), std::invalid_argument);
  EXPECT_NO_THROW(cg_share(4, 8, 7));
}

}  // namespace
}  // namespace strata::programs
