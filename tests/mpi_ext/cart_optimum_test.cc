// How near the mapping that auto chooses is to the best that there is: all ways to give the positions of a small mesh
// to the nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <map>
#include <set>

#include "mpi_ext/cart/mapping.h"
#include "mpi_ext/cart/partners.h"
#include "tests/mpi_ext/small_meshes.h"

namespace strata::mpix {
namespace {

using namespace testing;  // NOLINT: small meshes

// The fewest off-node partners of all ways to give the positions to nodes of these sizes.
class Optimum {
 public:
  Optimum(const Mesh& mesh, std::vector<int> sizes)
      : left_(std::move(sizes)), node_(mesh.size(), -1), lower_(mesh.size()) {
    for (int p = 0; p < mesh.size(); ++p) {
      for (int dim = 0; dim < mesh.num_dims(); ++dim) {
        for (int partner : shift(mesh, p, dim, 1)) {
          if (partner < 0 || partner == p) {
            if (partner < 0) ++fixed_;
          } else if (partner < p) {
            lower_[p].push_back(partner);
          }
        }
      }
    }
    place(0, 0);
  }

  long off() const { return best_ + fixed_; }

 private:
  void place(int position, long off) {
    if (off >= best_) return;
    if (position == static_cast<int>(node_.size())) {
      best_ = off;
      return;
    }
    std::set<int> fresh;  // sizes of nodes that have nothing yet: one of each is enough
    for (int n = 0; n < static_cast<int>(left_.size()); ++n) {
      if (left_[n] == 0) continue;
      const bool is_fresh = std::find(node_.begin(), node_.begin() + position, n) == node_.begin() + position;
      if (is_fresh && !fresh.insert(left_[n]).second) continue;
      long more = 0;
      for (int partner : lower_[position]) more += node_[partner] != n ? 2 : 0;
      --left_[n];
      node_[position] = n;
      place(position + 1, off + more);
      node_[position] = -1;
      ++left_[n];
    }
  }

  std::vector<int> left_, node_;
  std::vector<std::vector<int>> lower_;  // partners with lower positions
  long fixed_ = 0, best_ = LONG_MAX;
};

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

// All meshes without dimensions of 1 of up to 16 processes, and all equal nodes.
TEST(CartOptimum, AutoOnEqualNodes) {
  Gap gap;
  for (int size = 1; size <= 16; ++size) {
    each_mesh(size, 0, 4, [&](const Mesh& mesh) {
      if (has_ones(mesh)) return;
      for (int n = 1; n <= size; ++n) {
        if (size % n != 0) continue;
        const std::vector<int> nodes(size / n, n);
        compare(mesh, nodes, Optimum(mesh, nodes).off(), gap);
      }
    });
  }
  EXPECT_EQ(gap.inputs, 815);
  EXPECT_EQ(gap.above, 8);
  EXPECT_EQ(gap.off, 28'644);
  EXPECT_EQ(gap.least, 28'610);
}

// Of up to 10 processes, and all nodes.
TEST(CartOptimum, AutoOnUnequalNodes) {
  Gap gap;
  for (int size = 1; size <= 10; ++size) {
    const auto all_nodes = compositions(size, size);
    each_mesh(size, 0, 4, [&](const Mesh& mesh) {
      if (has_ones(mesh)) return;
      std::map<std::vector<int>, long> known;  // by the sorted sizes
      for (const std::vector<int>& nodes : all_nodes) {
        std::vector<int> sorted = nodes;
        std::sort(sorted.begin(), sorted.end());
        const auto found = known.find(sorted);
        const long least = found != known.end() ? found->second : (known[sorted] = Optimum(mesh, sorted).off());
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
