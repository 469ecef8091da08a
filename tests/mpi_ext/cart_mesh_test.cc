// Positions, coordinates and shifts against MPI's definitions (MPI 4.0, Section 8.5), and the count of partners against
// one that asks for every process's partners by their coordinates. All meshes of up to 4 dimensions and 24 processes.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>

#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/partners.h"
#include "tests/mpi_ext/small_meshes.h"

namespace strata::mpix {
namespace {

using namespace testing;  // NOLINT: small meshes

constexpr int kLargest = 24;

template <class Visit>
void each_small_mesh(Visit visit) {
  for (int size = 1; size <= kLargest; ++size) each_mesh(size, 0, 4, visit);
}

// All coordinates, the last dimension fastest.
std::vector<std::vector<int>> all_coords(const Mesh& mesh) {
  std::vector<std::vector<int>> all = {{}};
  for (int d : mesh.dims) {
    std::vector<std::vector<int>> longer;
    for (const auto& coords : all) {
      for (int c = 0; c < d; ++c) {
        longer.push_back(coords);
        longer.back().push_back(c);
      }
    }
    all.swap(longer);
  }
  return all;
}

int position_in(const std::vector<std::vector<int>>& all, const std::vector<int>& coords) {
  const auto found = std::find(all.begin(), all.end(), coords);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

// Coordinates, those of periodic dimensions brought into the mesh one step round it after the other.
std::vector<int> into_mesh(const Mesh& mesh, std::vector<int> coords) {
  for (int i = 0; i < mesh.num_dims(); ++i) {
    if (!mesh.periods[i]) continue;
    while (coords[i] < 0) coords[i] += mesh.dims[i];
    while (coords[i] >= mesh.dims[i]) coords[i] -= mesh.dims[i];
  }
  return coords;
}

TEST(CartMesh, PositionsAndShiftsAreThoseOfTheDefinition) {
  long meshes = 0;
  each_small_mesh([&](const Mesh& mesh) {
    SCOPED_TRACE(text_of(mesh));
    ++meshes;
    const auto all = all_coords(mesh);
    ASSERT_EQ(mesh.size(), static_cast<int>(all.size()));
    for (int p = 0; p < mesh.size(); ++p) {
      ASSERT_EQ(coords_of(mesh, p), all[p]);
      ASSERT_EQ(position_of(mesh, all[p]), p);
      for (int dim = 0; dim < mesh.num_dims(); ++dim) {
        for (int displacement = -mesh.dims[dim] - 1; displacement <= mesh.dims[dim] + 1; ++displacement) {
          std::vector<int> to = all[p], from = all[p];
          to[dim] += displacement;
          from[dim] -= displacement;
          const int dest = position_in(all, into_mesh(mesh, to)), source = position_in(all, into_mesh(mesh, from));
          ASSERT_EQ(shift(mesh, p, dim, displacement), (std::array{source, dest})) << p << " " << dim;
          ASSERT_EQ(position_of(mesh, to), dest);
        }
      }
    }
  });
  EXPECT_EQ(meshes, 8537);
}

TEST(CartMesh, ShiftsByAnyInt) {
  const Mesh mesh{{5, 3}, {true, false}};
  EXPECT_EQ(shift(mesh, 4, 0, INT_MAX), (std::array{13, 10}));  // 2^31 - 1 is 2 more than a multiple of 5; 1 - 2, 1 + 2
  EXPECT_EQ(shift(mesh, 4, 0, INT_MIN), (std::array{13, 10}));  // -2^31 is 2 more than one too
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

PartnerCount count_of(const std::vector<int>& numbers) {
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  long total = 0;
  for (int n : numbers) total += n;
  return {*least, *most, total};
}

void expect_equal(const PartnerCount& ours, const PartnerCount& expected) {
  ASSERT_EQ(ours.min, expected.min);
  ASSERT_EQ(ours.max, expected.max);
  ASSERT_EQ(ours.total, expected.total);
}

// Groups: blocks of each size that divides, round-robin of as many, and at random.
TEST(CartPartners, AreThoseThatEveryProcessFinds) {
  std::mt19937_64 engine(1);
  each_small_mesh([&](const Mesh& mesh) {
    const int size = mesh.size();
    std::vector<std::vector<int>> all_groups;
    for (int n = 1; n <= size; ++n) {
      if (size % n != 0) continue;
      std::vector<int> blocks(size), round_robin(size), random(size);
      for (int p = 0; p < size; ++p) {
        blocks[p] = p / n;
        round_robin[p] = p % n;
        random[p] = static_cast<int>(engine() % n);
      }
      all_groups.insert(all_groups.end(), {blocks, round_robin, random});
    }
    for (const std::vector<int>& group : all_groups) {
      std::vector<int> on(size, 0), off(size, 0);
      for (int p = 0; p < size; ++p) {
        for (int dim = 0; dim < mesh.num_dims(); ++dim) {
          for (int displacement : {-1, 1}) {
            std::vector<int> coords = coords_of(mesh, p);
            coords[dim] += displacement;
            const int partner = position_of(mesh, coords);
            ++(partner >= 0 && group[partner] == group[p] ? on : off)[p];
          }
        }
      }
      SCOPED_TRACE(text_of(mesh));
      const Partners ours = count_partners(mesh, group);
      expect_equal(ours.on, count_of(on));
      expect_equal(ours.off, count_of(off));
    }
  });
}

}  // namespace
}  // namespace strata::mpix
