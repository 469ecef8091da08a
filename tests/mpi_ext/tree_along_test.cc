// SPDX-License-Identifier: LGPL-2.1-only
// Trees built from the paths of processes, compared with those of the whole machine by the hops between any two
// processes.
#include "mpi_ext/reorder/tree_along.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "mpi_ext/reorder/place_tree.h"
#include "platforms/topology.h"

namespace strata::mpix {
namespace {

void expect_same(const PlaceTree& expected, const PlaceTree& got, const std::string& what) {
  const int ranks = static_cast<int>(expected.place.size());
  ASSERT_EQ(expected.place.size(), got.place.size());
  ASSERT_EQ(expected.place.size(), got.node.size());
  EXPECT_EQ(expected.parent.size(), got.parent.size()) << what;
  for (int a = 0; a < ranks; ++a) {
    for (int b = 0; b < ranks; ++b) {
      ASSERT_EQ(hops(expected, a, b), hops(got, a, b)) << what << ", ranks " << a << " and " << b;
      ASSERT_EQ(expected.node[a] == expected.node[b], got.node[a] == got.node[b]) << what;
    }
  }
  // Vertices are in preorder, and each has a process below it.
  EXPECT_EQ(got.parent[0], -1);
  std::set<int> held(got.place.begin(), got.place.end());
  for (int v = static_cast<int>(got.parent.size()) - 1; v > 0; --v) {
    EXPECT_LT(got.parent[v], v);
    EXPECT_LT(got.depth[got.parent[v]], got.depth[v]);
    EXPECT_TRUE(held.count(v) == 1) << what;
    held.insert(got.parent[v]);
  }
}

// Places of any size and in any order, on machines of one or several nodes, even and uneven.
TEST(TreeAlong, IsThatOfTheWholeMachine) {
  std::mt19937 random(1);
  for (const char* line : {"pack:2 core:4 pu:1", "node:3 pack:2 l3:2 core:3 pu:1", "switch:3 node:2 pack:2 core:2 pu:2",
                           "node:4 core:1 pu:1", "pod:2 switch:2 node:1 numa:2 core:2 pu:1"}) {
    const auto machine = parse_tree(line);
    for (int round = 0; round < 50; ++round) {
      const int ranks = 1 + static_cast<int>(random() % 12);
      std::vector<int> vertices;
      std::vector<Path> paths;
      for (int r = 0; r < ranks; ++r) {
        // A core, or a vertex above it up to the node.
        const auto cores = machine->cores();
        int v = cores[random() % cores.size()];
        const int node = machine->node_vertex(machine->node(v));
        while (v != node && random() % 4 == 0) v = machine->parent(v);
        vertices.push_back(v);
        paths.push_back(path_of(*machine, v));
      }
      expect_same(place_tree(*machine, vertices), tree_along(paths), line);
    }
  }
}

// Nodes of which only the names are known, and one whose inner structure is unknown.
TEST(TreeAlong, NodesInTheOrderOfTheirFirstProcesses) {
  const PlaceTree tree =
      tree_along({{{}, 900, {{"Package", 1}, {"Core", 5}}}, {{}, 7, {}}, {{}, 900, {{"Package", 1}, {"Core", 3}}}});
  EXPECT_EQ(tree.parent, (std::vector<int>{-1, 0, 1, 1, 0}));
  EXPECT_EQ(tree.depth, (std::vector<int>{0, 2, 3, 3, 1}));
  EXPECT_EQ(tree.place, (std::vector<int>{3, 4, 2}));
  EXPECT_EQ(tree.node, (std::vector<int>{0, 1, 0}));
}

}  // namespace
}  // namespace strata::mpix
