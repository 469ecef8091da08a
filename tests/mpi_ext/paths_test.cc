// SPDX-License-Identifier: LGPL-2.1-only
// Places computed from paths in the tree of a machine: worked examples, and properties of every level on random
// machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "mpi_ext/cart/tree_paths.h"

namespace strata::mpix {
namespace {

std::vector<std::string> names(const Places& places) {
  std::vector<std::string> all;
  for (const PlaceLevel& level : places.levels) all.push_back(level.name);
  return all;
}

using Names = std::vector<std::string>;
using Group = std::vector<int>;

TEST(Paths, OneProcessIsOnItsNode) {
  const Places p = places_along({{{{"Switch", 1}}, 5, {{"Package", 7}}}});
  EXPECT_EQ(names(p), Names{"Machine"});
  EXPECT_EQ(p.node_level, 0);
  EXPECT_EQ(p.nodes(), Group{0});
}

TEST(Paths, LevelsThatDivide) {
  std::vector<Path> paths;
  for (int r = 0; r < 8; ++r) {
    // Two switches with two nodes each; a node has one package, with two caches of one rank each. Packages and caches
    // do not divide the ranks any further.
    const std::uint64_t node = 100 + r / 2;
    paths.push_back({{{"Switch", 10 + r / 4}}, node, {{"Package", r / 2}, {"L3", r}}});
  }
  const Places p = places_along(paths);
  EXPECT_EQ(names(p), (Names{"Switch", "Machine"}));
  EXPECT_EQ(p.node_level, 1);
  EXPECT_EQ(p.levels[0].group, (Group{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(p.nodes(), (Group{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST(Paths, GroupsAreNumberedByTheirFirstMembers) {
  const Places p = places_along({{{}, 9, {}}, {{}, 3, {}}, {{}, 9, {}}, {{}, 1, {}}});
  EXPECT_EQ(p.nodes(), (Group{0, 1, 0, 2}));
}

TEST(Paths, ASwitchOfOneNodeIsToldOfAsTheNode) {
  const Places p = places_along({{{{"Switch", 1}}, 5, {}}, {{{"Switch", 1}}, 5, {}}, {{{"Switch", 2}}, 6, {}}});
  EXPECT_EQ(names(p), Names{"Machine"});
}

// Nodes 1 and 2 are on one switch, nodes 3 and 4 on one switch each in a pod. Switches form a level, regardless of what
// is above them.
TEST(Paths, UnevenNetworks) {
  std::vector<Path> paths;
  for (std::uint64_t node = 1; node <= 4; ++node) {
    for (int twice = 0; twice < 2; ++twice) {
      const auto n = static_cast<std::int64_t>(node);
      if (node <= 2) {
        paths.push_back({{{"Switch", 10}}, node, {}});
      } else {
        paths.push_back({{{"Pod", 20}, {"Switch", 20 + n}}, node, {}});
      }
    }
  }
  const Places p = places_along(paths);
  EXPECT_EQ(names(p), (Names{"Pod", "Switch", "Machine"}));
  EXPECT_EQ(p.levels[0].group, (Group{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(p.levels[1].group, (Group{0, 0, 0, 0, 1, 1, 2, 2}));
}

// Ranks 2 and 3 are bound to the whole node: they stay together, beside the packages.
TEST(Paths, ABindingThatSpansInstances) {
  const Places p = places_along(
      {{{}, 1, {{"Package", 1}}}, {{}, 1, {{"Package", 1}}}, {{}, 1, {}}, {{}, 1, {}}, {{}, 1, {{"Package", 2}}}});
  EXPECT_EQ(names(p), (Names{"Machine", "Package"}));
  EXPECT_EQ(p.levels[1].group, (Group{0, 0, 1, 1, 2}));
}

TEST(Paths, NodesOfDifferentKinds) {
  // On node 1 packages contain NUMA nodes, on node 2 NUMA nodes contain caches.
  const Places p = places_along({{{}, 1, {{"Package", 1}, {"NUMANode", 2}}},
                                 {{}, 1, {{"Package", 1}, {"NUMANode", 2}}},
                                 {{}, 1, {{"Package", 1}, {"NUMANode", 3}}},
                                 {{}, 1, {{"Package", 4}, {"NUMANode", 5}}},
                                 {{}, 2, {{"NUMANode", 1}, {"L3", 2}}},
                                 {{}, 2, {{"NUMANode", 1}, {"L3", 2}}},
                                 {{}, 2, {{"NUMANode", 1}, {"L3", 3}}}});
  EXPECT_EQ(names(p), (Names{"Machine", "Package", "NUMANode", "L3"}));
  EXPECT_EQ(p.levels[1].group, (Group{0, 0, 0, 1, 2, 2, 2}));
  EXPECT_EQ(p.levels[2].group, (Group{0, 0, 1, 2, 3, 3, 3}));
  EXPECT_EQ(p.levels[3].group, (Group{0, 0, 1, 2, 3, 3, 4}));
}

TEST(Paths, TheFirstOfThem) {
  const Places all = places_along({{{}, 1, {{"Package", 1}}},
                                   {{}, 1, {{"Package", 1}}},
                                   {{}, 1, {{"Package", 2}}},
                                   {{}, 2, {{"Package", 1}}},
                                   {{}, 2, {{"Package", 1}}}});
  EXPECT_EQ(names(all), (Names{"Machine", "Package"}));
  EXPECT_EQ(names(places_of_first(all, 3)), (Names{"Machine", "Package"}));
  EXPECT_EQ(places_of_first(all, 3).nodes(), (Group{0, 0, 0}));
  EXPECT_EQ(names(places_of_first(all, 2)), Names{"Machine"});
}

int groups_in(const Group& group) { return static_cast<int>(std::set<int>(group.begin(), group.end()).size()); }

// On random machines and placements: every level divides the one before, and has more parts. Numbers are in the order
// of the first members. Nodes are those of the paths. Two ranks share an instance of the finest level to which both
// belong if, and only if, their paths do.
TEST(Paths, RandomMachines) {
  const unsigned seed = 20181;
  std::mt19937 random(seed);
  const auto upto = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
    const int ranks = 1 + upto(12), switches = 1 + upto(3), nodes = switches * (1 + upto(3)), depth = upto(4);
    std::vector<Path> paths;
    for (int r = 0; r < ranks; ++r) {
      const int node = upto(nodes);
      Path path{{{"Switch", node % switches}}, static_cast<std::uint64_t>(node), {}};
      const int known = upto(3) == 0 ? upto(depth + 1) : depth;
      int instance = 0;
      for (int d = 0; d < known; ++d) {
        instance = 2 * instance + 1 + upto(2);
        path.inside.push_back({"Level" + std::to_string(d), instance});
      }
      paths.push_back(path);
    }
    const Places p = places_along(paths);
    ASSERT_EQ(p.levels[p.node_level].name, "Machine");
    for (size_t l = 0; l < p.levels.size(); ++l) {
      const Group& group = p.levels[l].group;
      ASSERT_EQ(group.size(), paths.size());
      int next = 0;
      for (int g : group) {
        ASSERT_LE(g, next);
        next = std::max(next, g + 1);
      }
      for (int a = 0; a < ranks && l > 0; ++a) {
        for (int b = 0; b < a; ++b) {
          if (group[a] == group[b]) {
            ASSERT_EQ(p.levels[l - 1].group[a], p.levels[l - 1].group[b]);
          }
        }
      }
      if (l > 0) {
        ASSERT_GT(groups_in(group), groups_in(p.levels[l - 1].group));
      }
      if (static_cast<int>(l) != p.node_level) {
        ASSERT_GT(groups_in(group), 1);
        ASSERT_LT(groups_in(group), ranks);
      }
    }
    for (int a = 0; a < ranks; ++a) {
      for (int b = 0; b < a; ++b) {
        ASSERT_EQ(p.nodes()[a] == p.nodes()[b], paths[a].node == paths[b].node);
        for (const PlaceLevel& level : p.levels) {
          const auto instance = [&](int r) {
            for (const Holder& h : paths[r].inside) {
              if (h.name == level.name) return h.instance;
            }
            return std::int64_t{-1};
          };
          const bool inside = level.name.starts_with("Level");
          if (inside && level.group[a] == level.group[b]) {
            ASSERT_EQ(instance(a), instance(b));
          }
          // Instances are numbered as in a heap: on one node, the same instance has the same path above it.
          const bool same = paths[a].node == paths[b].node && instance(a) == instance(b) && instance(a) >= 0;
          if (inside && same) {
            ASSERT_EQ(level.group[a], level.group[b]);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace strata::mpix
