// The mappings of Cartesian meshes: the figures of EuroMPI'18, what each method owes on every small input, how near
// auto is to the best that there is, and 10,000 random inputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "mpi_ext/cart/mapping.h"
#include "mpi_ext/cart/partners.h"
#include "sim/command/nodecart_inputs.h"
#include "tests/mpi_ext/small_meshes.h"

namespace strata::mpix {
namespace {

using namespace testing;  // NOLINT: small meshes

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
  double on_average, off_average;  // as printed
};

// EuroMPI'18, Table 3: 16 processes a node, and a mesh that is not periodic: a periodic 32x32x16 would have 2 partners
// on the node everywhere under Cart.
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
  // Rank 36 k + r: block k of 4x4 blocks; r within in row-major order.
  EXPECT_EQ(mapping.new_rank[0], 0);
  EXPECT_EQ(mapping.new_rank[1], 1);
  EXPECT_EQ(mapping.new_rank[2], 8);
  EXPECT_EQ(mapping.new_rank[4], 64);
  EXPECT_EQ(mapping.new_rank[36], 2);
  EXPECT_EQ(mapping.new_rank[36 * 4], 16);
}

// Ranks of a node in the order of old ranks, nodes in that of their first members, however they were numbered.
TEST(CartMapping, NodecartOfRoundRobin) {
  const Mesh mesh{{4, 2}, {false, false}};
  const Places places{{{"Machine", {0, 1, 0, 1, 0, 1, 0, 1}}}, 0};
  const Mapping mapping = map_processes(mesh, places, CartMethod::kNodecart);
  EXPECT_EQ(mapping.intradims, (std::vector<int>{2, 2}));
  EXPECT_EQ(mapping.new_rank, (std::vector<int>{0, 4, 1, 5, 2, 6, 3, 7}));
}

// Where the paper's algorithm is worse than plain Cart.
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

// Periodic meshes of two dimensions, the first no shorter than the second, that at least 4 processes a node and more
// than one node fill: how often nodecart is worse.
TEST(CartMapping, HowOftenNodecartIsWorse) {
  int meshes = 0, worse = 0;
  for (int size = 4; size <= 132; ++size) {
    for (const std::vector<int>& dims : all_dims(size, 2, 2)) {
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
                              " needs equally many processes on each Machine, and there are from 2 to 4: take auto, "
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

// ------------------------------------------------------------------------------------------------------ every input

bool is_permutation_of_all(const std::vector<int>& numbers) {
  std::vector<bool> seen(numbers.size());
  for (int n : numbers) {
    if (n < 0 || n >= static_cast<int>(numbers.size()) || seen[n]) return false;
    seen[n] = true;
  }
  return true;
}

// Whether each node is a block of intradims, and the blocks are a mesh of interdims.
bool nodes_are_blocks(const Mesh& mesh, const Places& places, const Mapping& mapping) {
  std::map<std::vector<int>, int> node_of;
  for (int i = 0; i < mesh.num_dims(); ++i) {
    if (mapping.intradims[i] * mapping.interdims[i] != mesh.dims[i]) return false;
  }
  for (size_t r = 0; r < mapping.new_rank.size(); ++r) {
    std::vector<int> block = coords_of(mesh, mapping.new_rank[r]);
    for (size_t i = 0; i < block.size(); ++i) block[i] /= mapping.intradims[i];
    const auto [at, is_new] = node_of.try_emplace(block, places.nodes()[r]);
    if (at->second != places.nodes()[r]) return false;
  }
  return node_of.size() == group_sizes(places.nodes()).size();
}

bool has_blocks(CartMethod method) {
  return method == CartMethod::kNodecart || method == CartMethod::kMultilevel || method == CartMethod::kBlocks;
}

// Partners off the nodes, then off the other levels, the outermost first.
std::vector<long> key_of(const Mesh& mesh, const Places& places, const Mapping& mapping) {
  std::vector<long> key = {off_node(mesh, places, mapping)};
  for (int level = 0; level < static_cast<int>(places.levels.size()); ++level) {
    if (level != places.node_level) key.push_back(partners_of(mesh, places, mapping.new_rank, level).off.total);
  }
  return key;
}

// Empty where all methods do on this input what they owe; else which does not.
std::string fault_of(const Mesh& mesh, const Places& places) {
  std::map<CartMethod, std::vector<long>> keys;
  CartMethod chosen = CartMethod::kAuto;
  for (CartMethod method : cart_methods()) {
    const std::string name(name_of(method));
    Mapping mapping;
    try {
      mapping = map_processes(mesh, places, method);
    } catch (const Unmappable&) {
      if (!has_blocks(method)) return name + " is not possible";
      continue;
    }
    if (!is_permutation_of_all(mapping.new_rank)) return name + " is no permutation";
    const bool blocks = has_blocks(mapping.method);
    if (!blocks && !mapping.intradims.empty()) return name + " has no blocks";
    if (blocks && !nodes_are_blocks(mesh, places, mapping)) return name + " parts nodes";
    if (method == CartMethod::kAuto) chosen = mapping.method;
    if (method != CartMethod::kAuto && mapping.method != method) return name + " has another's name";
    keys[method] = key_of(mesh, places, mapping);
  }
  // Of the methods that are possible the first of those with the least, in the order of the enumeration.
  CartMethod best = CartMethod::kCart;
  for (const auto& [method, key] : keys) {
    if (method != CartMethod::kAuto && key < keys[best]) best = method;
  }
  if (chosen != best || keys[CartMethod::kAuto] != keys[best]) return "auto did not take " + std::string(name_of(best));
  if (keys[CartMethod::kAuto][0] > keys[CartMethod::kCart][0]) return "auto is worse than cart";
  if (keys.count(CartMethod::kBlocks) == 0) return "";
  if (keys[CartMethod::kBlocks][0] > keys[CartMethod::kNodecart][0]) return "blocks is worse than nodecart";
  if (keys.count(CartMethod::kMultilevel) == 0) return "";
  return keys[CartMethod::kBlocks] <= keys[CartMethod::kMultilevel] ? "" : "blocks is worse than multilevel on a level";
}

std::vector<int> round_robin(int ranks, int nodes) {
  std::vector<int> order;
  for (int n = 0; n < nodes; ++n) {
    for (int r = n; r < ranks; r += nodes) order.push_back(r);
  }
  std::vector<int> place(ranks);
  for (int i = 0; i < ranks; ++i) place[order[i]] = i;
  return place;
}

// All meshes of up to 36 processes, 0 to 4 dimensions, with all periods; nodes of each size that divides; ranks that
// fill them in order, go round them, and are anywhere.
TEST(CartMapping, AllSmallMeshesOnEqualNodes) {
  std::mt19937_64 engine(1);
  long tried = 0;
  for (int size = 1; size <= 36; ++size) {
    each_mesh(size, 0, 4, [&](const Mesh& mesh) {
      if (::testing::Test::HasFatalFailure()) return;
      for (int n = 1; n <= size; ++n) {
        if (size % n != 0) continue;
        const Places packed = packed_places(std::vector<int>(size / n, n));
        for (const Places& places :
             {packed, reordered(packed, round_robin(size, size / n)), reordered(packed, shuffled(size, engine))}) {
          ASSERT_EQ(fault_of(mesh, places), "") << text_of(mesh) << ", nodes of " << n;
          ++tried;
        }
      }
    });
  }
  EXPECT_EQ(tried, 272'451);
}

// All meshes of up to 9 processes, up to 3 dimensions, and all nodes.
TEST(CartMapping, AllSmallMeshesOnUnequalNodes) {
  std::mt19937_64 engine(1);
  long tried = 0;
  for (int size = 1; size <= 9; ++size) {
    const auto all_nodes = compositions(size, size);
    each_mesh(size, 0, 3, [&](const Mesh& mesh) {
      if (::testing::Test::HasFatalFailure()) return;
      for (const std::vector<int>& nodes : all_nodes) {
        const Places packed = packed_places(nodes);
        for (const Places& places : {packed, reordered(packed, shuffled(size, engine))}) {
          ASSERT_EQ(fault_of(mesh, places), "")
              << text_of(mesh) << ", first of " << nodes.size() << " nodes of " << nodes[0];
          ++tried;
        }
      }
    });
  }
  EXPECT_EQ(tried, 69'462);
}

// Switches of nodes of packages of cores, equal or not, that ranks fill in order or in any.
TEST(CartMapping, MachinesOfManyLevels) {
  std::mt19937_64 engine(1);
  for (int size : {12, 16, 24, 36, 48, 64, 96}) {
    each_mesh(size, 1, 3, [&](const Mesh& mesh) {
      if (::testing::Test::HasFatalFailure() || *std::min_element(mesh.dims.begin(), mesh.dims.end()) == 1) return;
      // Each level's size divides the one's before; of unequal ones the boundaries are any of the level's inside.
      std::vector<int> sizes = {size};
      for (int level = 0; level < 3; ++level) {
        std::vector<int> divisors;
        for (int d = 1; d <= sizes.back(); ++d) {
          if (sizes.back() % d == 0) divisors.push_back(d);
        }
        sizes.push_back(divisors[engine() % divisors.size()]);
      }
      sizes.erase(sizes.begin());
      for (int node = 0; node < 3; ++node) {
        const Places equal = levels_of(size, sizes, node);
        ASSERT_EQ(fault_of(mesh, equal), "") << text_of(mesh) << ", node level " << node;
        ASSERT_EQ(fault_of(mesh, reordered(equal, shuffled(size, engine))), "")
            << text_of(mesh) << ", node level " << node;
        for (int unequal = 0; unequal < 3; ++unequal) {
          Places places = equal;
          std::vector<int>& group = places.levels[unequal].group;
          const std::vector<int>& inside = unequal < 2 ? places.levels[unequal + 1].group : group;
          int next = 0;
          for (int r = 0; r < size; ++r) {
            const bool outer_ends =
                unequal > 0 && r > 0 && places.levels[unequal - 1].group[r] != places.levels[unequal - 1].group[r - 1];
            const bool may_end = r > 0 && (unequal == 2 || inside[r] != inside[r - 1]);
            if (outer_ends || (may_end && engine() % 3 == 0)) ++next;
            group[r] = next;
          }
          ASSERT_EQ(fault_of(mesh, places), "") << text_of(mesh) << ", node level " << node;
          ASSERT_EQ(fault_of(mesh, reordered(places, shuffled(size, engine))), "")
              << text_of(mesh) << ", node level " << node;
        }
      }
    });
  }
}

// On two switches of 4 nodes of two packages of 4 cores each: blocks in blocks in blocks.
TEST(CartMapping, LevelsAreArrangedWithinTheSameNodes) {
  const Mesh mesh{{8, 8}, {false, false}};
  const Places places = levels_of(64, {32, 8, 4}, 1);
  const Mapping blocks = map_processes(mesh, places, CartMethod::kBlocks);
  EXPECT_EQ(blocks.intradims, (std::vector<int>{4, 2}));
  EXPECT_EQ(partners_of(mesh, places, blocks.new_rank, 0).off.total, 2 * 8 + 4 * 8);  // half the mesh: one cut
  EXPECT_EQ(partners_of(mesh, places, blocks.new_rank, 1).off.total, 2 * 64 / 4 + 2 * 64 / 2);
  EXPECT_EQ(partners_of(mesh, places, blocks.new_rank, 2).off.total, 2 * 64 / 2 + 2 * 64 / 2);
}

// ------------------------------------------------------------------------------------------------------- random ones

// The inputs of `strata nodecart survey`.
TEST(CartMapping, TenThousandRandomInputs) {
  constexpr int kSeed = 1;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937_64 engine(kSeed);
  for (int i = 0; i < 10'000 && !HasFatalFailure(); ++i) {
    const command::NodecartInput input = command::random_nodecart_input(engine, 4096);
    ASSERT_EQ(fault_of(input.mesh, input.places), "") << command::text_of(input);
  }
}

}  // namespace
}  // namespace strata::mpix
