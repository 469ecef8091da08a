// SPDX-License-Identifier: LGPL-2.1-only
// Limits of the arithmetic on positions, coordinates and shifts. The property checker tests all small meshes
// (check/areas/nodecart_area.h).
#include <gtest/gtest.h>

#include <climits>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/partners.h"

namespace strata::mpix {
namespace {

TEST(CartMesh, ShiftsByAnyInt) {
  const Mesh mesh{{5, 3}, {true, false}};
  EXPECT_EQ(shift(mesh, 4, 0, INT_MAX), (std::array{13, 10}));  // 2^31 - 1 is 2 modulo 5: 1 - 2 and 1 + 2
  EXPECT_EQ(shift(mesh, 4, 0, INT_MIN), (std::array{13, 10}));  // -2^31 is 2 modulo 5, too
  EXPECT_EQ(shift(mesh, 4, 1, INT_MAX), (std::array{-1, -1}));
  EXPECT_EQ(shift(mesh, 4, 1, INT_MIN), (std::array{-1, -1}));
}

TEST(CartMesh, MeshOfOneProcessWithoutDimensions) {
  const Mesh mesh{{}, {}};
  EXPECT_EQ(mesh.size(), 1);
  EXPECT_EQ(coords_of(mesh, 0), std::vector<int>());
  EXPECT_EQ(position_of(mesh, {}), 0);
  EXPECT_EQ(count_partners(mesh, {0}).off.total, 0);
}

}  // namespace
}  // namespace strata::mpix
