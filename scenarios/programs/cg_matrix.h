// SPDX-License-Identifier: LGPL-2.1-only
// The matrix of CG of the NAS Parallel Benchmarks 3.3 (makea, sprnvc, randlc; NAS report RNR-94-007, Section 2.3): the
// sum over i from 1 to n of w_i x_i x_i^T, plus (0.1 - shift) on the diagonal. x_i is a sparse vector with `nonzer`
// pseudo-random elements in (0, 1) at pseudo-random places, and 0.5 at place i; w_i decreases geometrically from 1 to
// 0.1. So the matrix has a wide range of eigenvalues, every process can compute it without messages, and it has nearly
// nonzer (nonzer + 1) elements per row at random places off the diagonal.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/programs/cg_grid.h"

namespace strata::programs {

/// The benchmarks' generator: x' = 5^13 x mod 2^46, returned as x' / 2^46.
class CgRandom {
 public:
  double next() {
    state_ = state_ * 1220703125u & kMask;  // the overflow of 64 bits is a multiple of 2^46
    return static_cast<double>(state_) * 0x1p-46;
  }

 private:
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << 46) - 1;
  std::uint64_t state_ = 314159265;
};

/// A block of the matrix as compressed sparse rows; indexes are within the block, from 0.
struct CgMatrix {
  std::vector<long> first;  // first element of each row; one entry more than rows
  std::vector<int> column;  // increasing within a row
  std::vector<double> value;

  long elements() const { return first.back(); }
  /// w = A p.
  void multiply(const double* p, double* w) const;
};

/// The block with these rows and columns of the matrix of order `n`. O(n nonzer + elements) time for any block.
CgMatrix make_cg_matrix(int n, int nonzer, double shift, CgRange rows, CgRange columns);

/// The expected number of elements in such a block. All elements on the diagonal exist; those off the diagonal all
/// exist with the same probability (if no two vectors overlap).
double expected_cg_elements(int n, int nonzer, CgRange rows, CgRange columns);

}  // namespace strata::programs
