// SPDX-License-Identifier: LGPL-2.1-only
// The orders of positions on which mappings are based, compared with slow readings of their definitions: meshes with
// more processes and dimensions than in the property checker, positions that are blocks, and worked examples.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "check/areas/slow_orders.h"
#include "check/areas/small_meshes.h"
#include "mpi_ext/cart/hyperplane.h"
#include "mpi_ext/cart/kd_tree.h"
#include "mpi_ext/cart/order.h"
#include "mpi_ext/cart/strips.h"

namespace strata::mpix {
namespace {

using namespace check;  // NOLINT: small meshes, slow readings

Mesh open_mesh(const Shape& dims) { return {dims, std::vector<bool>(dims.size(), false)}; }

std::vector<int> positions_of(const Shape& dims, const std::vector<Coords>& cells) {
  std::vector<int> positions;
  for (const Coords& cell : cells) positions.push_back(position_of(open_mesh(dims), cell));
  return positions;
}

void expect_slow_hyperplane(const Shape& dims, const Shape& unit, const std::vector<int>& sizes) {
  ASSERT_EQ(hyperplane_order(dims, unit, sizes), positions_of(dims, slow_hyperplane(dims, unit, sizes)))
      << text_of(open_mesh(dims)) << " first node of " << sizes[0] << " of " << sizes.size();
}

TEST(CartOrders, HyperplaneOfEqualNodes) {
  long tried = 0;
  for (int size = 25; size <= 48; ++size) {
    for (const Shape& dims : all_dims(size, 0, 4)) {
      for (int n = 1; n <= size; ++n) {
        if (size % n != 0) continue;
        expect_slow_hyperplane(dims, Shape(dims.size(), 1), std::vector<int>(size / n, n));
        ++tried;
      }
    }
  }
  EXPECT_EQ(tried, 8'660);
}

TEST(CartOrders, HyperplaneOfUnequalNodes) {
  long tried = 0;
  for (int size = 11; size <= 12; ++size) {
    for (const Shape& dims : all_dims(size, 0, 3)) {
      for (const std::vector<int>& sizes : compositions(size, 6)) {
        expect_slow_hyperplane(dims, Shape(dims.size(), 1), sizes);
        ++tried;
      }
    }
  }
  std::mt19937_64 engine(1);
  for (int size : {60, 72, 96}) {
    for (const Shape& dims : all_dims(size, 2, 3)) {
      std::vector<int> sizes;
      for (int left = size; left > 0; left -= sizes.back())
        sizes.push_back(1 + static_cast<int>(engine() % std::min(left, 9)));
      Shape unit;
      for (size_t i = 0; i < dims.size(); ++i) unit.push_back(1 + static_cast<int>(engine() % 4));
      expect_slow_hyperplane(dims, unit, sizes);
      ++tried;
    }
  }
  EXPECT_EQ(tried, 29'641);
}

TEST(CartOrders, HyperplaneOfAWorkedExample) {
  // 6x4 with 4 ranks per node. The dimension of 6 is cut at 3: 12 ranks are 3 nodes. In 3x4, cuts of the 4 do not give
  // whole nodes (3 x 1, 3 x 2), so the 3 is cut at 1: one node of 4, and two nodes of 2x4, which are slices across the
  // 4.
  EXPECT_EQ(hyperplane_order({6, 4}, {1, 1}, std::vector<int>(6, 4)),
            (std::vector<int>{0, 1, 2, 3, 4, 8, 5, 9, 6, 10, 7, 11, 12, 13, 14, 15, 16, 20, 17, 21, 18, 22, 19, 23}));
}

TEST(CartOrders, KdTree) {
  for (int size = 25; size <= 64; ++size) {
    for (const Shape& dims : all_dims(size, 0, 4)) {
      ASSERT_EQ(kd_tree_order(dims), positions_of(dims, slow_tree(dims))) << text_of(open_mesh(dims));
    }
  }
  EXPECT_EQ(kd_tree_order({4, 4}), (std::vector<int>{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
}

TEST(CartOrders, StripsOfWorkedExamples) {
  // Nodes of 4 are squares of 2: two strips of width 2 along the dimension of 6, down the first in alternating rows and
  // up the second.
  EXPECT_EQ(strips_order({6, 4}, 4),
            (std::vector<int>{0, 1, 5, 4, 8, 9, 13, 12, 16, 17, 21, 20, 22, 23, 19, 18, 14, 15, 11, 10, 6, 7, 3, 2}));
  // Nodes of 9 need squares of 3, and there are only 3 rows, so there is one strip.
  EXPECT_EQ(strips_order({3, 4}, 9), (std::vector<int>{0, 4, 8, 9, 5, 1, 2, 6, 10, 11, 7, 3}));
  // 7 is divided into strips of 3 and 4: 7 * 1 / 2 = 3.
  EXPECT_EQ(strips_order({8, 7}, 12).at(3 * 8), 7 * 7 + 3);
}

// Contains each position once. Consecutive positions are neighbours, except where a strip ends on the side away from
// the next strip.
TEST(CartOrders, StripsGoFromNeighbourToNeighbour) {
  long steps = 0, jumps = 0;
  for (int size = 1; size <= 64; ++size) {
    for (const Shape& dims : all_dims(size, 0, 4)) {
      for (int n = 1; n <= size; ++n) {
        const std::vector<int> order = strips_order(dims, n);
        std::vector<int> sorted = order;
        std::sort(sorted.begin(), sorted.end());
        for (int p = 0; p < size; ++p) ASSERT_EQ(sorted[p], p) << text_of(open_mesh(dims)) << " " << n;
        for (int i = 1; i < size; ++i) {
          const Coords a = coords_of(open_mesh(dims), order[i - 1]), b = coords_of(open_mesh(dims), order[i]);
          int differ = 0, distance = 0;
          for (size_t dim = 0; dim < dims.size(); ++dim) {
            differ += a[dim] != b[dim] ? 1 : 0;
            distance += std::abs(a[dim] - b[dim]);
          }
          ASSERT_EQ(differ, 1);  // even at a jump
          ++steps;
          jumps += distance > 1 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_EQ(steps, 5'239'570);
  EXPECT_EQ(jumps, 5'685);
}

TEST(CartOrders, BlocksWithinBlocks) {
  EXPECT_EQ(block_order({}, {}), std::vector<int>{0});
  EXPECT_EQ(block_order({2, 3}, {}), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(block_order({4, 4}, {{2, 2}}), (std::vector<int>{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
  EXPECT_EQ(block_order({4, 4}, {{4, 2}, {2, 1}}),
            (std::vector<int>{0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15}));
}

// A block of 3x4 for nodes with packages of 4 + 8 and 8 + 4 cores: hyperplanes order the packages of each node.
TEST(CartOrders, UnequalPartsOfABlock) {
  std::vector<int> packages;
  for (int package = 0; package < 4; ++package) {
    packages.insert(packages.end(), package == 0 || package == 3 ? 4 : 8, package);
  }
  const std::vector<int> order = block_order({6, 4}, {{3, 4}}, {{}, packages});
  const std::vector<int> first = hyperplane_order({3, 4}, {1, 1}, {4, 8});
  EXPECT_EQ(std::vector<int>(order.begin(), order.begin() + 12), first);
  std::vector<int> second = hyperplane_order({3, 4}, {1, 1}, {8, 4});
  for (int& p : second) p += 12;
  EXPECT_EQ(std::vector<int>(order.begin() + 12, order.end()), second);
  // Two switches with 2 and 4 nodes of 2x2, in a mesh of 4x6: the nodes of a switch are consecutive.
  const std::vector<int> nodes = block_order({4, 6}, {{2, 2}}, {{0, 0, 1, 1, 1, 1}, {}});
  const std::vector<int> of_nodes = hyperplane_order({2, 3}, {2, 2}, {2, 4});
  for (int k = 0; k < 6; ++k) EXPECT_EQ(nodes[4 * k], of_nodes[k] / 3 * 12 + of_nodes[k] % 3 * 2);
}

TEST(CartOrders, RanksByPlace) {
  // Switches 0 1 0 1 0 1, nodes 0 1 2 1 0 3: ranks 0 and 4 share a node, 1 and 3 another; 2 and 5 are alone.
  const Places places{{{"Switch", {0, 1, 0, 1, 0, 1}}, {"Machine", {0, 1, 2, 1, 0, 3}}}, 1};
  EXPECT_EQ(ranks_by_node(places), (std::vector<int>{0, 4, 1, 3, 2, 5}));
  EXPECT_EQ(ranks_by_place(places), (std::vector<int>{0, 4, 2, 1, 3, 5}));
  EXPECT_EQ(seat({2, 0, 1}, {5, 6, 7}), (std::vector<int>{6, 7, 5}));
}

}  // namespace
}  // namespace strata::mpix
