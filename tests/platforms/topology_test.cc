// SPDX-License-Identifier: LGPL-2.1-only
// The whole machine: worked trees, unequal and mixed networks, and every traversal compared with its slow definition.
#include "platforms/topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/error_of.h"
#include "tests/platforms/machines.h"

namespace strata {
namespace {

using testing::ElementsAre;

std::vector<int> vec(std::span<const int> s) { return {s.begin(), s.end()}; }

// Unequal switches, nodes of several kinds, and nodes that are not below a switch.
std::shared_ptr<const Topology> mixed() {
  NetworkGroup rack{
      .level = "Rack",
      .groups = {{.level = "Switch", .groups = {}, .nodes = 3}, {.level = "Switch", .groups = {}, .nodes = 1}},
      .nodes = 1};
  NetworkGroup root{.level = "", .groups = {rack, {.level = "Switch", .groups = {}, .nodes = 2}}, .nodes = 2};
  return std::make_shared<const Topology>(
      root, std::vector{test_node("5asymmetric-2p2n5c"), test_node("4io-2p2n"), test_node("8nocore-2p2n"),
                        test_node("4nested-2p3n"), test_node("4disallowed-2p2n"), test_node("4io-2p2n"),
                        test_node("4memory-2p3n"), test_node("4io-2p2n"), test_node("32knl-2n8c4t")});
}

// All machines of the exhaustive tests.
std::vector<std::pair<std::string, std::shared_ptr<const Topology>>> all_machines() {
  std::vector<std::pair<std::string, std::shared_ptr<const Topology>>> machines = {{"mixed", mixed()}};
  for (const std::string& name : kNodes) machines.emplace_back(name, flat_cluster(test_node(name), 3));
  for (const char* line : {"pu:1", "core:1", "switch:2 node:3 pack:2 core:4",
                           "rack:2 switch:2 node:1 pack:1 core:2 pu:2", "node:5 pack:2 l3:2 [numa] core:3"}) {
    machines.emplace_back(line, parse_tree(line));
  }
  return machines;
}

TEST(Topology, WorkedTree) {
  const auto t = parse_tree("switch:2 node:3 pack:2 core:4");
  t->check_invariants();
  EXPECT_EQ(t->num_nodes(), 6);
  EXPECT_EQ(t->cores().size(), 48u);
  // The root, two switches, and for each node: Machine, NUMANode (added by hwloc), 2 Packages, 8 Cores.
  EXPECT_EQ(t->num_vertices(), 1 + 2 + 6 * 12);
  EXPECT_THAT(vec(t->children(0)), ElementsAre(1, 38));
  EXPECT_EQ(t->name(0), "System - Cluster");
  EXPECT_EQ(t->name(1), "switch");
  EXPECT_THAT(vec(t->children(1)), ElementsAre(2, 14, 26));
  EXPECT_EQ(t->type(14), ObjectType::kMachine);
  EXPECT_EQ(t->node(14), 1);
  EXPECT_EQ(t->node(1), -1);
  EXPECT_EQ(t->object(1), nullptr);
  EXPECT_EQ(t->name(t->covering(5, *Cpuset::parse("4-7"))), "Package");
  EXPECT_EQ(t->covering(5, *Cpuset::parse("4-8")), -1);
  EXPECT_EQ(t->lowest_common_ancestor(t->cores()[0], t->cores()[23]), 1);
  EXPECT_EQ(t->lowest_common_ancestor(t->cores()[0], t->cores()[24]), 0);
  EXPECT_EQ(t->name(t->lowest_common_ancestor(t->cores()[0], t->cores()[4])), "NUMANode");
  EXPECT_EQ(t->first_core(38), 24);
  EXPECT_EQ(t->num_cores(38), 24);
  EXPECT_EQ(t->depth(t->cores()[0]), 5);
}

TEST(Topology, UnequalGroupsAndMixedNodes) {
  const auto t = mixed();
  t->check_invariants();
  EXPECT_EQ(t->num_nodes(), 9);
  // Rack(Switch(3) Switch(1) node) Switch(2) node node; cores: 5 4 8 | 4 | 3 | 4 4 | 4 8.
  EXPECT_EQ(t->cores().size(), 44u);
  const auto top = vec(t->children(0));
  ASSERT_EQ(top.size(), 4u);
  EXPECT_EQ(t->name(top[0]), "Rack");
  EXPECT_EQ(t->num_cores(top[0]), 24);
  EXPECT_EQ(t->num_cores(top[1]), 8);
  EXPECT_EQ(t->node(top[2]), 7);
  EXPECT_EQ(t->num_cores(top[3]), 8);
  const auto rack = vec(t->children(top[0]));
  ASSERT_EQ(rack.size(), 3u);
  EXPECT_EQ(t->num_cores(rack[0]), 17);
  EXPECT_EQ(t->num_cores(rack[1]), 4);
  EXPECT_EQ(t->node(rack[2]), 4);
}

TEST(Topology, InvariantsHoldOnAllMachines) {
  for (const auto& [name, t] : all_machines()) EXPECT_NO_THROW(t->check_invariants()) << name;
}

// The stored relations (children, subtree, depth, cores) follow from the parents.
TEST(Topology, WalksFollowFromTheParents) {
  for (const auto& [name, t] : all_machines()) {
    SCOPED_TRACE(name);
    const int n = t->num_vertices();
    for (int v = 0; v < n; ++v) {
      std::vector<int> children, cores;
      int depth = 0, below = 0;
      for (int p = t->parent(v); p >= 0; p = t->parent(p)) ++depth;
      for (int w = 0; w < n; ++w) {
        if (t->parent(w) == v) children.push_back(w);
        int up = w;
        while (up >= 0 && up != v) up = t->parent(up);
        if (up < 0) continue;
        ++below;
        if (t->object(w) != nullptr && t->object(w)->is_core) cores.push_back(w);
      }
      ASSERT_EQ(vec(t->children(v)), children);
      ASSERT_EQ(t->depth(v), depth);
      ASSERT_EQ(t->subtree_end(v), v + below);
      ASSERT_EQ(vec(t->cores().subspan(t->first_core(v), t->num_cores(v))), cores);
    }
  }
}

// All pairs of vertices, compared with their chains of ancestors.
TEST(Topology, LowestCommonAncestorOfAllPairs) {
  long pairs = 0;
  for (const auto& [name, t] : all_machines()) {
    SCOPED_TRACE(name);
    for (int a = 0; a < t->num_vertices(); ++a) {
      std::vector<bool> above(t->num_vertices(), false);
      for (int v = a; v >= 0; v = t->parent(v)) above[v] = true;
      for (int b = 0; b < t->num_vertices(); ++b) {
        int v = b;
        while (!above[v]) v = t->parent(v);
        ASSERT_EQ(t->lowest_common_ancestor(a, b), v);
        ++pairs;
      }
    }
  }
  EXPECT_GT(pairs, 100'000);
}

// All sets of one or two PUs and random sets, compared with a search of all vertices of the node.
TEST(Topology, CoveringIsTheDeepestVertexOfTheNode) {
  constexpr unsigned kSeed = 2018;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  for (const auto& [name, t] : all_machines()) {
    SCOPED_TRACE(name);
    for (int node = 0; node < t->num_nodes(); ++node) {
      const auto check = [&](const Cpuset& set) {
        int deepest = -1;
        for (int v = 0; v < t->num_vertices(); ++v) {
          if (t->node(v) == node && t->object(v)->cpuset.includes(set) &&
              (deepest < 0 || t->depth(v) > t->depth(deepest))) {
            deepest = v;
          }
        }
        ASSERT_EQ(t->covering(node, set), set.empty() ? -1 : deepest) << set.list();
      };
      const int last = 33;
      for (int a = 0; a <= last; ++a) {
        for (int b = a; b <= last; ++b) {
          Cpuset set;
          set.add(a);
          set.add(b);
          check(set);
        }
      }
      for (int round = 0; round < 50; ++round) {
        Cpuset set;
        for (unsigned k = random() % 6; k > 0; --k) set.add(static_cast<int>(random() % 34));
        check(set);
      }
    }
  }
}

TEST(Topology, RefusesNetworksThatDoNotFit) {
  const auto node = test_node("4io-2p2n");
  const auto make = [&](const NetworkGroup& network, int nodes) { Topology(network, std::vector(nodes, node)); };
  EXPECT_THROW(make({.level = "", .groups = {}, .nodes = 2}, 3), std::invalid_argument);
  EXPECT_THROW(make({.level = "", .groups = {}, .nodes = 0}, 0), std::invalid_argument);
  EXPECT_THROW(make({.level = "", .groups = {{.level = "Switch", .groups = {}, .nodes = 0}}, .nodes = 2}, 2),
               std::invalid_argument);
  EXPECT_THROW(make({.level = "", .groups = {{.level = "", .groups = {}, .nodes = 1}}, .nodes = 1}, 2),
               std::invalid_argument);
  EXPECT_THROW(make({.level = "", .groups = {{.level = "Switch", .groups = {}, .nodes = -1}}, .nodes = 2}, 1),
               std::invalid_argument);
  EXPECT_THROW(flat_cluster(node, 0), std::invalid_argument);
}

std::string tree_error(const std::string& line) {
  return error_of([&] { parse_tree(line); });
}

TEST(ParseTree, RefusesWhatIsNoTree) {
  const std::string remedy = "; write for example 'switch:2 node:3 pack:2 core:4'";
  EXPECT_EQ(tree_error(""), "tree '': nothing says what is inside a node" + remedy);
  EXPECT_EQ(tree_error("node:2"), "tree 'node:2': nothing says what is inside a node" + remedy);
  EXPECT_EQ(tree_error("node:0 core:1"), "tree 'node:0 core:1': 'node:0' is not NAME:COUNT" + remedy);
  EXPECT_EQ(tree_error("node:x core:1"), "tree 'node:x core:1': 'node:x' is not NAME:COUNT" + remedy);
  EXPECT_EQ(tree_error("node:2x core:1"), "tree 'node:2x core:1': 'node:2x' is not NAME:COUNT" + remedy);
  EXPECT_EQ(tree_error("switch node:2 core:1"), "tree 'switch node:2 core:1': 'switch' is not NAME:COUNT" + remedy);
  EXPECT_EQ(tree_error(":2 node:2 core:1"), "tree ':2 node:2 core:1': ':2' is not NAME:COUNT" + remedy);
  EXPECT_EQ(tree_error("s:99999999999 node:2 core:1"),
            "tree 's:99999999999 node:2 core:1': 's:99999999999' is not NAME:COUNT" + remedy);
  EXPECT_EQ(tree_error("s:1001 node:1000 core:1"),
            "tree 's:1001 node:1000 core:1': more than 1000000 nodes; give fewer");
  EXPECT_THAT(tree_error("node:2 pack"),
              testing::StartsWith("synthetic description 'pack': libhwloc does not understand it"));
}

TEST(ParseTree, AnySpaceSeparates) {
  EXPECT_EQ(parse_tree(" switch:2\tnode:3   core:4 ")->cores().size(), 24u);
  EXPECT_EQ(parse_tree("core:4")->num_nodes(), 1);
  EXPECT_EQ(parse_tree("rack:2 switch:3 node:2 core:1")->num_nodes(), 12);
}

}  // namespace
}  // namespace strata
