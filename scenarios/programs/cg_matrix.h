// SPDX-License-Identifier: LGPL-2.1-only
// The matrix of CG of the NAS Parallel Benchmarks 3.3 (makea, sprnvc, randlc; NAS report RNR-94-007, Section 2.3): the
// sum over i from 1 to n of w_i x_i x_i^T, plus (0.1 - shift) on the diagonal. x_i is a sparse vector of `nonzer`
// pseudo-random elements in (0, 1) at pseudo-random places, and 0.5 at place i; w_i falls geometrically from 1 to 0.1.
// So it has eigenvalues of a wide range, is known to every process without a message, and has next to nonzer (nonzer +
// 1) elements a row off the diagonal, anywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/programs/cg_grid.h"

namespace strata::programs {

/// The benchmarks' generator: x' = 5^13 x mod 2^46, as x' / 2^46.
class CgRandom {
 public:
  double next() {
    state_ = state_ * 1220703125u & kMask;  // what overflows 64 bits is a multiple of 2^46
    return static_cast<double>(state_) * 0x1p-46;
  }

 private:
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << 46) - 1;
  std::uint64_t state_ = 314159265;
};

/// A block of the matrix, row after row (compressed sparse rows); indexes count from 0 in the block.
struct CgMatrix {
  std::vector<long> first;  // of a row's elements; one more than rows
  std::vector<int> column;  // increasing in a row
  std::vector<double> value;

  long elements() const { return first.back(); }
  /// w = A p.
  void multiply(const double* p, double* w) const;
};

/// The block of those rows and columns of the matrix of order `n`. O(n nonzer + elements) time, whatever the block.
CgMatrix make_cg_matrix(int n, int nonzer, double shift, CgRange rows, CgRange columns);

/// How many elements such a block has, but for chance: every one off the diagonal is there with the same probability
/// (no two vectors meeting), every one on it is there.
double expected_cg_elements(int n, int nonzer, CgRange rows, CgRange columns);

}  // namespace strata::programs
