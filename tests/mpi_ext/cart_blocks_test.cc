// SPDX-License-Identifier: LGPL-2.1-only
// Shapes of blocks: the paper's rule compared with its examples and with a slow reading of it, and the best shapes
// compared with all shapes, each counted on the mesh.
#include <gtest/gtest.h>

#include <numeric>

#include "check/areas/slow_orders.h"
#include "check/areas/small_meshes.h"
#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/multilevel.h"
#include "mpi_ext/cart/node_blocks.h"

namespace strata::mpix {
namespace {

using namespace check;  // NOLINT: small meshes, slow readings

TEST(CartBlocks, PapersExamples) {
  EXPECT_EQ(factor_block({9, 8, 8}, 36), (Shape{9, 2, 2}));
  EXPECT_EQ(factor_block({128, 128}, 16), (Shape{4, 4}));
  EXPECT_EQ(factor_block({32, 32, 16}, 16), (Shape{4, 2, 2}));  // Table 3 has 3.5 on-node partners; 4x4x1 would have 3
  EXPECT_EQ(factor_block({64, 4}, 8), (Shape{8, 1}));
  // Section 2.1 has 6x2x3, which results if the first of several equal dimensions gets a factor; but that rule
  // contradicts Table 3. 3x4x3 has the same sum of nodes along the dimensions (4 + 2 + 2), and fewer partners off the
  // node.
  EXPECT_EQ(factor_block({12, 8, 6}, 36), (Shape{3, 4, 3}));
  EXPECT_EQ(off_partners({{12, 8, 6}, {false, false, false}}, {3, 4, 3}), 2 * (192 + 144 + 192));
  EXPECT_EQ(off_partners({{12, 8, 6}, {false, false, false}}, {6, 2, 3}), 2 * (96 + 288 + 192));
  EXPECT_EQ(factor_block({}, 1), Shape{});
}

TEST(CartBlocks, RuleNeverFailsWhereTheSizeDivides) {
  for (int size = 1; size <= 72; ++size) {
    for (const Shape& dims : all_dims(size, 1, 4)) {
      for (int n = 1; n <= size; ++n) {
        if (size % n != 0) {
          EXPECT_THROW(factor_block(dims, n), Unmappable);
          continue;
        }
        const Shape block = factor_block(dims, n);
        ASSERT_EQ(std::accumulate(block.begin(), block.end(), 1, std::multiplies<>()), n);
        for (size_t i = 0; i < dims.size(); ++i) ASSERT_EQ(dims[i] % block[i], 0);
      }
    }
  }
}

TEST(CartBlocks, RefusesWithTheFactorThatDoesNotFit) {
  try {
    factor_block({4, 6}, 10);
    FAIL();
  } catch (const Unmappable& e) {
    EXPECT_STREQ(e.what(),
                 "no block of 10 processes fits the mesh: its factor 5 divides no remaining dimension; give dimensions "
                 "that 10 divides");
  }
}

TEST(CartBlocks, LevelsAreBlocksWithinBlocks) {
  EXPECT_EQ(multilevel_blocks({32, 32, 16}, {64, 16, 4}), (std::vector<Shape>{{4, 4, 4}, {4, 2, 2}, {2, 2, 1}}));
  // The block of the switch limits the block of the node.
  EXPECT_EQ(multilevel_blocks({64, 4}, {8, 4}), (std::vector<Shape>{{8, 1}, {4, 1}}));
}

TEST(CartBlocks, PartnersOfAShapeAreThoseThatAreCounted) {
  for (int size = 1; size <= 24; ++size) {
    each_mesh(size, 0, 4, [&](const Mesh& mesh) {
      const SlowMesh slow(mesh);
      for (int n = 1; n <= size; ++n) {
        if (size % n != 0) continue;
        for (const Shape& shape : shapes_in(mesh.dims, n)) {
          ASSERT_EQ(off_partners(mesh, shape), slow.count_off(slow.blocks(shape))) << text_of(mesh);
        }
      }
    });
  }
}

// The partners of the shapes of all levels; the node's come first.
std::vector<long> key_of(const Mesh& mesh, const std::vector<Shape>& shapes, int node) {
  std::vector<long> key = {off_partners(mesh, shapes[node])};
  for (int level = 0; level < static_cast<int>(shapes.size()); ++level) {
    if (level != node) key.push_back(off_partners(mesh, shapes[level]));
  }
  return key;
}

// Meshes larger than those of the property checker, of up to 3 dimensions; all chains of up to 3 levels whose sizes
// divide each other, with each level as the node level.
TEST(CartBlocks, BestOfAllNestedShapes) {
  long tried = 0;
  for (int size : {36, 64}) {
    each_mesh(size, 0, 3, [&](const Mesh& mesh) {
      const SlowMesh slow(mesh);
      for (const Groups& groups : all_equal_groups(size, 3)) {
        std::vector<int> sizes;
        for (const std::vector<int>& group : groups) sizes.push_back(group_sizes(group)[0]);
        for (int node = 0; node < 3; ++node) {
          const std::vector<Shape> ours = best_blocks(mesh, sizes, node);
          const BestBlocks best = slow_best_blocks(slow, sizes, node);
          ASSERT_EQ(key_of(mesh, ours, node), best.off) << text_of(mesh);
          ASSERT_EQ(ours[node], best.node) << text_of(mesh);
          ++tried;
        }
      }
    });
  }
  EXPECT_EQ(tried, 62'856);
}

TEST(CartBlocks, ManyEqualDimensionsAreNoWork) {
  const Mesh mesh{std::vector<int>(20, 2), std::vector<bool>(20, false)};
  const std::vector<Shape> blocks = best_blocks(mesh, {1 << 14, 1 << 10, 1 << 5}, 1);
  EXPECT_EQ(off_partners(mesh, blocks[1]), (10L * 2 + 10L * 1) << 20);  // 10 dimensions within a node, 10 across
  EXPECT_THROW(best_blocks(mesh, {3}, 0), Unmappable);
}

}  // namespace
}  // namespace strata::mpix
