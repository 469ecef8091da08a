// SPDX-License-Identifier: LGPL-2.1-only
// How CG of the NAS Parallel Benchmarks 3.3 distributes a matrix over processes, and which data they exchange: a pure
// function of the matrix order, the number of processes (a power of two) and the rank.
//
// The processes form a grid, row by row, with as many columns as rows or twice as many. Each has a block of the matrix.
// A vector is distributed over the columns of the grid (all processes of a column have the same part), and a product
// with the matrix over its rows. A product w = A p needs
//   1. the stages, last to first: sums of w over the processes of a row, each with one partner. In a square grid, all
//      of w is exchanged in each stage (l stages for 2^l columns). Otherwise, the first exchange is of halves, after
//      which a process has the sum of its own half, the first or the second by the parity of its column;
//   2. the transpose: each process sends its part of w to the process that has this part of the vectors.
// A scalar is summed over a row by the stages, first to last.
#pragma once

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <vector>

namespace strata::programs {

struct CgRange {
  int first = 0;
  int count = 0;
  int end() const { return first + count; }
  bool operator==(const CgRange&) const = default;
};

/// Part `part` when n is divided into `parts` parts that differ by at most one; the longer ones come first.
inline CgRange cg_part_of(int n, int parts, int part) {
  const int each = n / parts, longer = n % parts;
  return {part * each + std::min(part, longer), each + (part < longer ? 1 : 0)};
}

/// An exchange of partial sums of w with one process of the row. Both ranges are within the process's own rows, from 0.
struct CgStage {
  int partner = 0;
  CgRange sent;
  CgRange received;  // and added
};

/// The part of one process.
struct CgShare {
  int grid_rows = 0, grid_columns = 0;
  CgRange rows;                 // of the matrix
  CgRange columns;              // of the matrix, and of the vectors
  std::vector<CgStage> stages;  // in the order for scalars
  CgRange transposed;           // of the process's own rows, from 0: the part sent to `transpose`
  int transpose = 0;            // the partner in the transpose, in both directions; on the diagonal the process itself
};

/// Throws std::invalid_argument if `processes` is not a power of two, or a process would have no column.
inline CgShare cg_share(int n, int processes, int rank) {
  if (processes < 1 || !std::has_single_bit(static_cast<unsigned>(processes))) {
    throw std::invalid_argument("the number of processes must be a power of two");
  }
  CgShare s;
  const int log2 = std::countr_zero(static_cast<unsigned>(processes));
  s.grid_rows = 1 << (log2 / 2);
  s.grid_columns = processes / s.grid_rows;
  if (n < s.grid_columns) throw std::invalid_argument("more columns of processes than of the matrix");
  const bool square = s.grid_rows == s.grid_columns;
  const int row = rank / s.grid_columns, column = rank % s.grid_columns;

  // Half of `whole`; if it is odd, the first half is longer.
  const auto half = [](CgRange whole, int which) {
    const int first = (whole.count + 1) / 2;
    return which == 0 ? CgRange{whole.first, first} : CgRange{whole.first + first, whole.count - first};
  };
  s.rows = cg_part_of(n, s.grid_rows, row);
  const CgRange own = {0, s.rows.count};
  if (square) {
    s.columns = cg_part_of(n, s.grid_columns, column);
    s.transposed = own;
    s.transpose = column * s.grid_columns + row;
  } else {
    s.columns = half(cg_part_of(n, s.grid_rows, column / 2), column % 2);
    s.transposed = half(own, column % 2);
    s.transpose = 2 * (column / 2 * s.grid_rows + row) + column % 2;
  }
  for (int group = s.grid_columns; group > 1; group /= 2) {
    const int partner = column ^ (group / 2);
    // The last stage, between neighbours, is the first for w.
    const CgRange sent = !square && group == 2 ? half(own, 1 - column % 2) : s.transposed;
    s.stages.push_back({row * s.grid_columns + partner, sent, s.transposed});
  }
  return s;
}

}  // namespace strata::programs
