// SPDX-License-Identifier: LGPL-2.1-only
// Quality of the mappings: compared with all permutations of a few processes and, for shuffled stencils, with the order
// before the shuffle and with Scotch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>

#include "mpi_ext/reorder/mapping.h"
#include "tests/mpi_ext/reorder_parts.h"

namespace strata::mpix {
namespace {

using namespace testing;  // NOLINT: patterns and trees

// All trees of at most 8 processes in which paths separate at one, two or three depths: all nested divisions of `size`
// leaves into parts of non-increasing size, where each part is a leaf or divided further, and all leaves have the same
// depth.
std::vector<PlaceTree> small_trees(int size) {
  using Divide = std::function<void(int, std::vector<int>, const std::function<void(const std::vector<int>&)>&)>;
  const Divide into_parts = [&](int left, std::vector<int> parts, const auto& use) {
    if (left == 0) return use(parts);
    for (int next = std::min(left, parts.empty() ? left : parts.back()); next > 0; --next) {
      parts.push_back(next);
      into_parts(left - next, parts, use);
      parts.pop_back();
    }
  };
  // Divides cores into nodes, then nodes into groups.
  std::vector<PlaceTree> trees;
  into_parts(size, {}, [&](const std::vector<int>& nodes) {
    into_parts(static_cast<int>(nodes.size()), {}, [&](const std::vector<int>& groups) {
      PlaceTree tree;
      const auto add = [&](int parent) {
        tree.parent.push_back(parent);
        tree.depth.push_back(parent < 0 ? 0 : tree.depth[parent] + 1);
        return static_cast<int>(tree.parent.size()) - 1;
      };
      add(-1);
      size_t node = 0;
      for (int in_group : groups) {
        const int group = add(0);
        for (int i = 0; i < in_group; ++i, ++node) {
          const int at = add(group);
          for (int core = 0; core < nodes[node]; ++core) {
            tree.place.push_back(add(at));
            tree.node.push_back(static_cast<int>(node));
          }
        }
      }
      trees.push_back(std::move(tree));
    });
  });
  return trees;
}

TEST(Optimum, OfAllSmallTreesIsFound) {
  int cases = 0, optimal = 0;
  double sum = 0, worst = 0;  // of Scotch's results
  for (int size = 2; size <= 8; ++size) {
    const std::vector<PlaceTree> trees = small_trees(size);
    for (size_t t = 0; t < trees.size(); ++t) {
      for (int seed = 1; seed <= 4; ++seed) {
        SCOPED_TRACE(std::to_string(size) + " processes, tree " + std::to_string(t) + ", seed " + std::to_string(seed));
        Engine engine(1000 * size + 10 * t + seed);
        const std::vector<Flow> flows = check::random_flows(size, seed, 100, engine);
        const Pattern pattern(size, flows);
        const double least = check::least_hop_bytes(flows, hop_table(trees[t]));
        EXPECT_EQ(hop_bytes(pattern, trees[t], map_ranks(pattern, trees[t], MapMethod::kTreeMatch)), least);
        const double scotchs = hop_bytes(pattern, trees[t], map_ranks(pattern, trees[t], MapMethod::kScotch));
        ASSERT_GE(scotchs, least);
        ++cases;
        if (scotchs == least) {
          ++optimal;
          continue;
        }
        sum += scotchs / least - 1;
        worst = std::max(worst, scotchs / least - 1);
      }
    }
  }
  std::printf("scotch: %d cases, %d optimal (%.2f %%), mean gap %.4f %%, worst %.2f %%\n", cases, optimal,
              100.0 * optimal / cases, 100 * sum / cases, 100 * worst);
  EXPECT_EQ(cases, 1168);
}

struct Case {
  const char* machine;
  std::vector<int> dims;
};

class Stencils : public ::testing::TestWithParam<Case> {};

TEST_P(Stencils, ShuffledComeOutNoWorseThanBeforeTheShuffleAndThanScotch) {
  const PlaceTree tree = packed(GetParam().machine);
  const int order = static_cast<int>(tree.place.size());
  std::vector<int> in_order(order);
  std::iota(in_order.begin(), in_order.end(), 0);
  const double before = hop_bytes(stencil(GetParam().dims, in_order), tree, in_order);
  for (int seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Engine engine(seed);
    const std::vector<int> name = shuffled(order, engine);
    const Pattern pattern = stencil(GetParam().dims, name);
    // Undoing the shuffle restores the order before it: process p becomes the rank at position p.
    ASSERT_EQ(hop_bytes(pattern, tree, name), before);
    const double ours = hop_bytes(pattern, tree, map_ranks(pattern, tree, MapMethod::kTreeMatch));
    EXPECT_LE(ours, before);
    EXPECT_LE(ours, hop_bytes(pattern, tree, map_ranks(pattern, tree, MapMethod::kScotch)));
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Stencils,
                         ::testing::Values(Case{"node:8 core:1", {8}}, Case{"node:16 pack:2 core:8", {16, 16}},
                                           Case{"node:64 pack:2 core:8", {32, 32}},
                                           Case{"switch:4 node:4 pack:2 core:4", {8, 4, 4}},
                                           Case{"switch:3 node:5 pack:2 core:6", {15, 12}},
                                           Case{"node:32 pack:2 l3:2 core:4", {8, 8, 8}},
                                           Case{"node:7 core:11", {77}}));

// Jobs that use 3 to 24 of the 24 cores of each node.
TEST(Uneven, JobsAreMappedNoWorseThanByScotch) {
  const auto topology = parse_tree("switch:3 node:4 pack:2 core:12");
  std::vector<int> vertex;
  for (int node = 0; node < topology->num_nodes(); ++node) {
    const int v = topology->node_vertex(node);
    for (int core = 0; core < 3 + (5 * node) % 22; ++core)
      vertex.push_back(topology->cores()[topology->first_core(v) + core]);
  }
  const PlaceTree tree = place_tree(*topology, vertex);
  const int order = static_cast<int>(vertex.size());
  double ours = 0, scotchs = 0;
  for (int seed = 1; seed <= 10; ++seed) {
    Engine engine(seed);
    const Pattern pattern = random_pattern(order, 4, 1000, engine);
    ours += hop_bytes(pattern, tree, map_ranks(pattern, tree, MapMethod::kTreeMatch));
    scotchs += hop_bytes(pattern, tree, map_ranks(pattern, tree, MapMethod::kScotch));
  }
  std::printf("%d processes: treematch by scotch %.4f\n", order, ours / scotchs);
  EXPECT_LE(ours, scotchs);
}

// Two processes per core: pairs that communicate share a core.
TEST(Folded, ProcessesOfAPairShareACore) {
  const auto topology = parse_tree("node:4 pack:2 core:4");
  std::vector<int> vertex(topology->cores().begin(), topology->cores().end());
  vertex.insert(vertex.end(), topology->cores().begin(), topology->cores().end());
  const PlaceTree tree = place_tree(*topology, vertex);
  Engine engine(1);
  const std::vector<int> name = shuffled(64, engine);
  std::vector<Flow> flows;
  for (int p = 0; p < 64; p += 2) flows.push_back({name[p], name[p + 1], 100});
  const Pattern pattern(64, flows);
  EXPECT_EQ(hop_bytes(pattern, tree, map_ranks(pattern, tree, MapMethod::kTreeMatch)), 0);
}

// More peers than the algorithm examines: all ranks communicate with all others, those of a group ten times as much.
TEST(Dense, GroupsStandOutFromTheirBackground) {
  const PlaceTree tree = packed("node:16 pack:2 core:8");
  Engine engine(1);
  const std::vector<int> name = shuffled(256, engine);
  std::vector<Flow> flows;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      if (a != b) flows.push_back({name[a], name[b], a / 16 == b / 16 ? 1000.0 : 100.0});
    }
  }
  const Pattern pattern(256, flows);
  EXPECT_EQ(hop_bytes(pattern, tree, map_ranks(pattern, tree, MapMethod::kTreeMatch)), hop_bytes(pattern, tree, name));
}

}  // namespace
}  // namespace strata::mpix
