// SPDX-License-Identifier: LGPL-2.1-only
// Node-aware dimensions of a mesh, compared with all possible dimensions.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "check/areas/slow_orders.h"
#include "check/areas/small_meshes.h"
#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/dims.h"

namespace strata::mpix {
namespace {

using Dims = std::vector<int>;

// EuroMPI'18, Section 2.1.
TEST(CartDims, PapersExample) {
  EXPECT_EQ(node_aware_dims(576, 36, {0, 0, 0}), (Dims{12, 8, 6}));
  EXPECT_EQ(node_aware_dims(576, 1, {0, 0, 0}), (Dims{9, 8, 8}));  // like MPI_Dims_create
}

TEST(CartDims, GivenOnesAreKept) {
  EXPECT_EQ(node_aware_dims(24, 4, {0, 3, 0}), (Dims{4, 3, 2}));
  EXPECT_EQ(node_aware_dims(24, 4, {2, 3, 4}), (Dims{2, 3, 4}));
  EXPECT_EQ(node_aware_dims(24, 4, {6, 4, 0}), (Dims{6, 4, 1}));
  EXPECT_EQ(node_aware_dims(1, 1, {}), Dims{});
  EXPECT_EQ(node_aware_dims(7, 0, {0, 0}), (Dims{7, 1}));
}

TEST(CartDims, NodesThatDoNotDivideAreOfOneProcess) {
  EXPECT_EQ(node_aware_dims(576, 0, {0, 0, 0}), (Dims{9, 8, 8}));
  EXPECT_EQ(node_aware_dims(576, 37, {0, 0, 0}), (Dims{9, 8, 8}));
}

TEST(CartDims, RefusesWhatDoesNotDivide) {
  for (const Dims& dims : std::vector<Dims>{{5, 0}, {24, 2}, {2, 3}, {-4, 0}, {}}) {
    EXPECT_THROW(node_aware_dims(24, 4, dims), Unmappable);
  }
  EXPECT_THROW(node_aware_dims(0, 4, {0}), Unmappable);
  try {
    node_aware_dims(24, 4, {5, 0});
    FAIL();
  } catch (const Unmappable& e) {
    EXPECT_STREQ(
        e.what(),
        "dimensions 5x0 for 24 processes: give dimensions whose product divides the number, or equals it if none is 0");
  }
}

// More processes than in the property checker, all numbers per node that divide them, up to 3 dimensions, each given or
// free.
TEST(CartDims, LeastOfAll) {
  long tried = 0;
  for (int size : {36, 48, 60}) {
    for (const Dims& dims : check::all_dims(size, 1, 3)) {
      for (int n = 1; n <= size; ++n) {
        if (size % n != 0) continue;
        for (unsigned free = 0; free < 1U << dims.size(); ++free) {
          Dims given = dims;
          for (size_t i = 0; i < dims.size(); ++i) {
            if ((free >> i & 1U) != 0) given[i] = 0;
          }
          ASSERT_EQ(node_aware_dims(size, n, given), check::slow_dims(size, n, given)) << size << " " << n;
          ++tried;
        }
      }
    }
  }
  EXPECT_EQ(tried, 12'738);
}

TEST(CartDims, ManyProcesses) {
  EXPECT_EQ(node_aware_dims(1 << 20, 64, {0, 0, 0}), (Dims{128, 128, 64}));
  const Dims dims = node_aware_dims(720'720, 16, Dims(6, 0));
  EXPECT_EQ(std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>()), 720'720);
  EXPECT_EQ(node_aware_dims(1 << 20, 1 << 10, Dims(20, 0)), Dims(20, 2));
}

}  // namespace
}  // namespace strata::mpix
