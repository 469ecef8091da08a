// SPDX-License-Identifier: LGPL-2.1-only
// Compares the mapping that auto chooses with the best of all assignments of a small mesh's positions to the nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "check/areas/slow_mesh.h"
#include "check/areas/small_meshes.h"
#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/partners.h"

namespace strata::mpix {
namespace {

using namespace check;  // NOLINT: small meshes

struct Gap {
  long inputs = 0, above = 0, off = 0, least = 0;
};

void compare(const Mesh& mesh, const std::vector<int>& nodes, long least, Gap& gap) {
  const Places places = packed_places(nodes);
  const Mapping mapping = map_processes(mesh, places, CartMethod::kAuto);
  const long off = count_partners(mesh, groups_by_position(mapping.new_rank, places.nodes())).off.total;
  ASSERT_GE(off, least) << text_of(mesh);
  ++gap.inputs;
  gap.above += off > least ? 1 : 0;
  gap.off += off;
  gap.least += least;
}

bool has_ones(const Mesh& mesh) { return std::find(mesh.dims.begin(), mesh.dims.end(), 1) != mesh.dims.end(); }

// All meshes of up to 16 processes without dimensions of 1, on nodes of equal size.
TEST(CartOptimum, AutoOnEqualNodes) {
  Gap gap;
  for (int size = 1; size <= 16; ++size) {
    each_mesh(size, 0, 4, [&](const Mesh& mesh) {
      if (has_ones(mesh)) return;
      for (int n = 1; n <= size; ++n) {
        if (size % n != 0) continue;
        const std::vector<int> nodes(size / n, n);
        compare(mesh, nodes, fewest_off_partners(SlowMesh(mesh), nodes), gap);
      }
    });
  }
  EXPECT_EQ(gap.inputs, 815);
  EXPECT_EQ(gap.above, 8);
  EXPECT_EQ(gap.off, 28'644);
  EXPECT_EQ(gap.least, 28'610);
}

// The same with up to 10 processes, on nodes of all sizes.
TEST(CartOptimum, AutoOnUnequalNodes) {
  Gap gap;
  for (int size = 1; size <= 10; ++size) {
    const auto all_nodes = compositions(size, size);
    each_mesh(size, 0, 4, [&](const Mesh& mesh) {
      if (has_ones(mesh)) return;
      const SlowMesh slow(mesh);
      std::map<std::vector<int>, long> known;  // by the sorted sizes of the nodes
      for (const std::vector<int>& nodes : all_nodes) {
        std::vector<int> sorted = nodes;
        std::sort(sorted.begin(), sorted.end());
        const auto found = known.find(sorted);
        const long least = found != known.end() ? found->second : (known[sorted] = fewest_off_partners(slow, sorted));
        compare(mesh, nodes, least, gap);
      }
    });
  }
  EXPECT_EQ(gap.inputs, 9'501);
  EXPECT_EQ(gap.above, 2'314);
  EXPECT_EQ(gap.off, 225'484);
  EXPECT_EQ(gap.least, 217'892);
}

}  // namespace
}  // namespace strata::mpix
