// The orders of positions behind the mappings, against slow readings of their definitions that work on sets of
// positions and their coordinates: all meshes of up to 36 processes and 4 dimensions with all equal node sizes, the
// smaller ones with all sequences of unequal ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <map>
#include <numeric>

#include "mpi_ext/cart/hyperplane.h"
#include "mpi_ext/cart/kd_tree.h"
#include "mpi_ext/cart/order.h"
#include "mpi_ext/cart/strips.h"
#include "tests/mpi_ext/small_meshes.h"

namespace strata::mpix {
namespace {

using namespace testing;  // NOLINT: small meshes

using Cell = std::vector<int>;  // the coordinates of a position

Mesh open_mesh(const Shape& dims) { return {dims, std::vector<bool>(dims.size(), false)}; }

std::vector<Cell> cells_of(const Shape& dims) {
  const Mesh mesh = open_mesh(dims);
  std::vector<Cell> cells;
  for (int p = 0; p < mesh.size(); ++p) cells.push_back(coords_of(mesh, p));
  return cells;
}

std::vector<int> positions_of(const Shape& dims, const std::vector<Cell>& cells) {
  std::vector<int> positions;
  for (const Cell& cell : cells) positions.push_back(position_of(open_mesh(dims), cell));
  return positions;
}

// The least coordinate in a dimension, and how many there are.
std::array<int, 2> extent(const std::vector<Cell>& box, int dim) {
  std::array<int, 2> least_most = {box[0][dim], box[0][dim]};
  for (const Cell& cell : box) {
    least_most = {std::min(least_most[0], cell[dim]), std::max(least_most[1], cell[dim])};
  }
  return {least_most[0], least_most[1] - least_most[0] + 1};
}

// The dimensions of a box, the longest first.
std::vector<int> by_length(const std::vector<Cell>& box, const Shape& unit) {
  std::vector<int> dims(box[0].size());
  std::iota(dims.begin(), dims.end(), 0);
  std::stable_sort(dims.begin(), dims.end(),
                   [&](int a, int b) { return extent(box, a)[1] * unit[a] > extent(box, b)[1] * unit[b]; });
  return dims;
}

// Those below a coordinate, and the others.
std::array<std::vector<Cell>, 2> parted(const std::vector<Cell>& box, int dim, int at) {
  std::array<std::vector<Cell>, 2> parts;
  for (const Cell& cell : box) parts[cell[dim] < at ? 0 : 1].push_back(cell);
  return parts;
}

// How far the first `count` of ranks on nodes of these sizes are from being whole nodes.
int distance_to_nodes(const std::vector<int>& sizes, int count) {
  int least = count, end = 0;
  for (int size : sizes) {
    end += size;
    least = std::min(least, std::abs(count - end));
  }
  return least;
}

std::vector<Cell> slow_hyperplane(std::vector<Cell> box, const Shape& unit, const std::vector<int>& sizes) {
  const std::vector<int> dims = box[0].empty() ? std::vector<int>() : by_length(box, unit);
  if (sizes.size() <= 2) {
    std::sort(box.begin(), box.end(), [&](const Cell& a, const Cell& b) {
      for (int dim : dims) {
        if (a[dim] != b[dim]) return a[dim] < b[dim];
      }
      return false;
    });
    return box;
  }
  // Of each cut how far it is from whole nodes, then which dimension where that is nothing, then from the half.
  std::array<long, 5> best = {LONG_MAX};
  for (size_t rank = 0; rank < dims.size(); ++rank) {
    const auto [first, length] = extent(box, dims[rank]);
    for (int at = 1; at < length; ++at) {
      const long size = static_cast<long>(box.size()), low = size * at / length;
      const int off = distance_to_nodes(sizes, static_cast<int>(low));
      const auto preference = static_cast<long>(rank);
      best = std::min(best, {off, off == 0 ? preference : 0, std::abs(2 * low - size), preference, first + at});
    }
  }
  auto [low, high] = parted(box, dims[best[3]], static_cast<int>(best[4]));
  std::vector<int> low_sizes, high_sizes;
  int left = static_cast<int>(low.size());
  for (int size : sizes) {
    const int here = std::min(size, left);
    if (here > 0) low_sizes.push_back(here);
    if (here < size) high_sizes.push_back(size - here);
    left -= here;
  }
  std::vector<Cell> order = slow_hyperplane(low, unit, low_sizes);
  for (const Cell& cell : slow_hyperplane(high, unit, high_sizes)) order.push_back(cell);
  return order;
}

void expect_slow_hyperplane(const Shape& dims, const Shape& unit, const std::vector<int>& sizes) {
  ASSERT_EQ(hyperplane_order(dims, unit, sizes), positions_of(dims, slow_hyperplane(cells_of(dims), unit, sizes)))
      << text_of(open_mesh(dims)) << " first node of " << sizes[0] << " of " << sizes.size();
}

TEST(CartOrders, HyperplaneOfEqualNodes) {
  long tried = 0;
  for (int size = 1; size <= 48; ++size) {
    for (const Shape& dims : all_dims(size, 0, 4)) {
      for (int n = 1; n <= size; ++n) {
        if (size % n != 0) continue;
        expect_slow_hyperplane(dims, Shape(dims.size(), 1), std::vector<int>(size / n, n));
        ++tried;
      }
    }
  }
  EXPECT_EQ(tried, 12'227);
}

TEST(CartOrders, HyperplaneOfUnequalNodes) {
  long tried = 0;
  for (int size = 1; size <= 12; ++size) {
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
  EXPECT_EQ(tried, 40'021);
}

TEST(CartOrders, HyperplaneOfAWorkedExample) {
  // 6x4 with 4 a node: 24 ranks; cut across 6 at 3 (12 = 3 nodes); 3x4 across 4 at 1 or 2: 3 x 1 is no node, 3 x 2
  // neither; across 3 at 1 (4: one node) and then the two others, of 2x4, in slices across 4.
  EXPECT_EQ(hyperplane_order({6, 4}, {1, 1}, std::vector<int>(6, 4)),
            (std::vector<int>{0, 1, 2, 3, 4, 8, 5, 9, 6, 10, 7, 11, 12, 13, 14, 15, 16, 20, 17, 21, 18, 22, 19, 23}));
}

std::vector<Cell> slow_tree(const std::vector<Cell>& box) {
  if (box.size() == 1) return box;
  const int dim = by_length(box, Shape(box[0].size(), 1))[0];
  const auto [first, length] = extent(box, dim);
  const auto [low, high] = parted(box, dim, first + length / 2);
  std::vector<Cell> order = slow_tree(low);
  for (const Cell& cell : slow_tree(high)) order.push_back(cell);
  return order;
}

TEST(CartOrders, KdTree) {
  for (int size = 1; size <= 64; ++size) {
    for (const Shape& dims : all_dims(size, 0, 4)) {
      ASSERT_EQ(kd_tree_order(dims), positions_of(dims, slow_tree(cells_of(dims)))) << text_of(open_mesh(dims));
    }
  }
  EXPECT_EQ(kd_tree_order({4, 4}), (std::vector<int>{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
}

TEST(CartOrders, StripsOfWorkedExamples) {
  // Nodes of 4: squares of 2; two strips of 2 along the 6. Down the first, in rows that turn, up the second.
  EXPECT_EQ(strips_order({6, 4}, 4),
            (std::vector<int>{0, 1, 5, 4, 8, 9, 13, 12, 16, 17, 21, 20, 22, 23, 19, 18, 14, 15, 11, 10, 6, 7, 3, 2}));
  // Nodes of 9 in 3 rows of 10: 3 rows are all that a square has, so one strip.
  EXPECT_EQ(strips_order({3, 4}, 9), (std::vector<int>{0, 4, 8, 9, 5, 1, 2, 6, 10, 11, 7, 3}));
  // 7 in strips of 3 and 4: 7 * 1 / 2 = 3.
  EXPECT_EQ(strips_order({8, 7}, 12).at(3 * 8), 7 * 7 + 3);
}

// All positions once; consecutive ones are neighbours but where a strip ends on the side away from the next one.
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
          const Cell a = coords_of(open_mesh(dims), order[i - 1]), b = coords_of(open_mesh(dims), order[i]);
          int differ = 0, distance = 0;
          for (size_t dim = 0; dim < dims.size(); ++dim) {
            differ += a[dim] != b[dim] ? 1 : 0;
            distance += std::abs(a[dim] - b[dim]);
          }
          ASSERT_EQ(differ, 1);  // also where it jumps
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

// A block of 3x4 for nodes of packages of 4 + 8 and 8 + 4: each node's packages as by the hyperplanes.
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
  // Two switches of 2 and 4 nodes of 2x2 in 4x6: nodes together whose switch is.
  const std::vector<int> nodes = block_order({4, 6}, {{2, 2}}, {{0, 0, 1, 1, 1, 1}, {}});
  const std::vector<int> of_nodes = hyperplane_order({2, 3}, {2, 2}, {2, 4});
  for (int k = 0; k < 6; ++k) EXPECT_EQ(nodes[4 * k], of_nodes[k] / 3 * 12 + of_nodes[k] % 3 * 2);
}

TEST(CartOrders, RanksByPlace) {
  // Switches 0 1 0 1, nodes 0 1 2 1 3 ...: ranks 0 and 4 on a node, 1 and 3, 2, 5.
  const Places places{{{"Switch", {0, 1, 0, 1, 0, 1}}, {"Machine", {0, 1, 2, 1, 0, 3}}}, 1};
  EXPECT_EQ(ranks_by_node(places), (std::vector<int>{0, 4, 1, 3, 2, 5}));
  EXPECT_EQ(ranks_by_place(places), (std::vector<int>{0, 4, 2, 1, 3, 5}));
  EXPECT_EQ(seat({2, 0, 1}, {5, 6, 7}), (std::vector<int>{6, 7, 5}));
}

}  // namespace
}  // namespace strata::mpix
