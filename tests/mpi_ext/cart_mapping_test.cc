// SPDX-License-Identifier: LGPL-2.1-only
// The mappings of Cartesian meshes: the figures of EuroMPI'18, names and errors. The property checker tests the
// requirements of each method on every small input and on random inputs (check/areas/nodecart_area.h).
#include "mpi_ext/cart/cart_mapping.h"

#include <gtest/gtest.h>

#include "check/areas/small_meshes.h"
#include "mpi_ext/cart/partners.h"

namespace strata::mpix {
namespace {

Partners partners_of(const Mesh& mesh, const Places& places, const std::vector<int>& new_rank, int level) {
  return count_partners(mesh, groups_by_position(new_rank, places.levels[level].group));
}

long off_node(const Mesh& mesh, const Places& places, const Mapping& mapping) {
  return partners_of(mesh, places, mapping.new_rank, places.node_level).off.total;
}

// ------------------------------------------------------------------------------------------------------ the papers

struct Row {
  CartMethod method;
  std::vector<int> dims;
  PartnerCount on, off;
  double on_average, off_average;  // as printed in the paper
};

// EuroMPI'18, Table 3: 16 processes per node. The meshes are not periodic, because on a periodic 32x32x16 every process
// would have 2 partners on its node with Cart.
TEST(CartMapping, TableThree) {
  const std::vector<Row> rows = {
      {CartMethod::kCart, {128, 128}, {1, 2, 30'720}, {2, 3, 34'816}, 1.88, 2.12},
      {CartMethod::kNodecart, {128, 128}, {2, 4, 49'152}, {0, 2, 16'384}, 3, 1},
      {CartMethod::kCart, {32, 32, 16}, {1, 2, 30'720}, {4, 5, 67'584}, 1.88, 4.12},
      {CartMethod::kNodecart, {32, 32, 16}, {3, 4, 57'344}, {2, 3, 40'960}, 3.5, 2.5},
  };
  for (const Row& row : rows) {
    const Mesh mesh{row.dims, std::vector<bool>(row.dims.size(), false)};
    const Places places = packed_places(std::vector<int>(1024, 16));
    const Partners partners = partners_of(mesh, places, map_processes(mesh, places, row.method).new_rank, 0);
    const auto expect_equal = [&](const PartnerCount& ours, const PartnerCount& theirs, double average) {
      EXPECT_EQ(ours.min, theirs.min);
      EXPECT_EQ(ours.max, theirs.max);
      EXPECT_EQ(ours.total, theirs.total);
      EXPECT_NEAR(static_cast<double>(ours.total) / 16'384, average, 0.005 + 1e-9);  // 2.125 is printed as 2.12
    };
    expect_equal(partners.on, row.on, row.on_average);
    expect_equal(partners.off, row.off, row.off_average);
  }
}

TEST(CartMapping, PapersExample) {
  const Mesh mesh{{9, 8, 8}, {false, false, false}};
  const Places places = packed_places(std::vector<int>(16, 36));
  const Mapping mapping = map_processes(mesh, places, CartMethod::kNodecart);
  EXPECT_EQ(mapping.intradims, (std::vector<int>{9, 2, 2}));
  EXPECT_EQ(mapping.interdims, (std::vector<int>{1, 4, 4}));
  // Rank 36 k + r is in block k of 4x4 blocks, at position r in row-major order.
  EXPECT_EQ(mapping.new_rank[0], 0);
  EXPECT_EQ(mapping.new_rank[1], 1);
  EXPECT_EQ(mapping.new_rank[2], 8);
  EXPECT_EQ(mapping.new_rank[4], 64);
  EXPECT_EQ(mapping.new_rank[36], 2);
  EXPECT_EQ(mapping.new_rank[36 * 4], 16);
}

// The ranks of a node are in the order of the old ranks, and nodes in the order of their first members, regardless of
// their numbers.
TEST(CartMapping, NodecartOfRoundRobin) {
  const Mesh mesh{{4, 2}, {false, false}};
  const Places places{{{"Machine", {0, 1, 0, 1, 0, 1, 0, 1}}}, 0};
  const Mapping mapping = map_processes(mesh, places, CartMethod::kNodecart);
  EXPECT_EQ(mapping.intradims, (std::vector<int>{2, 2}));
  EXPECT_EQ(mapping.new_rank, (std::vector<int>{0, 4, 1, 5, 2, 6, 3, 7}));
}

// A case in which the paper's algorithm is worse than plain Cart.
TEST(CartMapping, NodecartCanBeWorseThanCart) {
  const Mesh mesh{{64, 4}, {true, true}};
  const Places places = packed_places(std::vector<int>(32, 8));
  const auto off_average = [&](CartMethod method) {
    return static_cast<double>(off_node(mesh, places, map_processes(mesh, places, method))) / 256;
  };
  EXPECT_EQ(map_processes(mesh, places, CartMethod::kNodecart).intradims, (std::vector<int>{8, 1}));
  EXPECT_EQ(off_average(CartMethod::kNodecart), 2.25);
  EXPECT_EQ(off_average(CartMethod::kCart), 1.0);
  EXPECT_EQ(off_average(CartMethod::kBlocks), 1.0);
  EXPECT_EQ(off_average(CartMethod::kAuto), 1.0);
  EXPECT_EQ(map_processes(mesh, places, CartMethod::kAuto).method, CartMethod::kCart);
}

// How often nodecart is worse on periodic meshes of two dimensions, of which the first is not shorter, with several
// nodes of at least 4 processes.
TEST(CartMapping, HowOftenNodecartIsWorse) {
  int meshes = 0, worse = 0;
  for (int size = 4; size <= 132; ++size) {
    for (const std::vector<int>& dims : check::all_dims(size, 2, 2)) {
      if (dims[0] < dims[1] || dims[1] < 2) continue;
      for (int n = 4; n < size; ++n) {
        if (size % n != 0) continue;
        const Mesh mesh{dims, {true, true}};
        const Places places = packed_places(std::vector<int>(size / n, n));
        const auto off = [&](CartMethod m) { return off_node(mesh, places, map_processes(mesh, places, m)); };
        ++meshes;
        worse += off(CartMethod::kNodecart) > off(CartMethod::kCart) ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(meshes, 942);
  EXPECT_EQ(worse, 431);
}

// --------------------------------------------------------------------------------------------------- names, refusals

TEST(CartMapping, Names) {
  std::string names;
  for (CartMethod method : cart_methods()) {
    names += std::string(name_of(method)) + " ";
    EXPECT_EQ(find_cart_method(name_of(method)), method);
  }
  EXPECT_EQ(names, "auto cart nodecart multilevel blocks hyperplane kdtree strips ");
  EXPECT_EQ(find_cart_method("Nodecart"), std::nullopt);
}

TEST(CartMapping, UnequalNodesAreRefusedWhereEqualOnesAreNeeded) {
  const Mesh mesh{{3, 3}, {false, false}};
  const Places places = packed_places({3, 4, 2});
  for (CartMethod method : {CartMethod::kNodecart, CartMethod::kMultilevel, CartMethod::kBlocks}) {
    try {
      map_processes(mesh, places, method);
      ADD_FAILURE();
    } catch (const Unmappable& e) {
      EXPECT_EQ(e.what(), std::string(name_of(method)) +
                              " needs the same number of processes on each Machine, but there are 2 to 4: use auto, "
                              "hyperplane, kdtree or strips");
    }
  }
}

TEST(CartMapping, MultilevelNeedsEqualGroupsOfEveryLevel) {
  const Mesh mesh{{4, 2}, {false, false}};
  const Places places{{{"Machine", {0, 0, 0, 0, 1, 1, 1, 1}}, {"Package", {0, 0, 0, 1, 2, 2, 2, 3}}}, 0};
  EXPECT_THROW(map_processes(mesh, places, CartMethod::kMultilevel), Unmappable);
  EXPECT_EQ(map_processes(mesh, places, CartMethod::kBlocks).intradims, (std::vector<int>{2, 2}));
}

// On two switches of 4 nodes, each with two packages of 4 cores: nested blocks on three levels.
TEST(CartMapping, LevelsAreArrangedWithinTheSameNodes) {
  const Mesh mesh{{8, 8}, {false, false}};
  Places places{{}, 1};
  for (int size : {32, 8, 4}) {
    places.levels.push_back({"groups of " + std::to_string(size), {}});
    for (int r = 0; r < 64; ++r) places.levels.back().group.push_back(r / size);
  }
  const Mapping blocks = map_processes(mesh, places, CartMethod::kBlocks);
  EXPECT_EQ(blocks.intradims, (std::vector<int>{4, 2}));
  EXPECT_EQ(partners_of(mesh, places, blocks.new_rank, 0).off.total, 2 * 8 + 4 * 8);  // each switch has half: one cut
  EXPECT_EQ(partners_of(mesh, places, blocks.new_rank, 1).off.total, 2 * 64 / 4 + 2 * 64 / 2);
  EXPECT_EQ(partners_of(mesh, places, blocks.new_rank, 2).off.total, 2 * 64 / 2 + 2 * 64 / 2);
}

}  // namespace
}  // namespace strata::mpix
