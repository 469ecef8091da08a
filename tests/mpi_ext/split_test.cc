// SPDX-License-Identifier: LGPL-2.1-only
// The core of the communicator hierarchy on the worked examples of RR-9077 and of Open MPI's issues. The property
// checker tests all small machines (check/areas/hsplit_area.h).
#include "mpi_ext/hierarchy/split.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platforms/topology.h"

namespace strata::mpix {
namespace {

// What an application sees in a step: the communicators as "type: members", in the order of their indexes, "NULL:
// members" for ranks without one, and the roots communicators.
struct Step {
  std::vector<std::string> comms, roots;
};

std::string set_of(const std::vector<int>& ranks) {
  std::string text = "{";
  for (int r : ranks) text += (text.size() > 1 ? "," : "") + std::to_string(r);
  return text + "}";
}

std::vector<Step> steps_of(const Topology& t, const std::vector<std::pair<int, std::string>>& bindings) {
  std::vector<int> vertices;
  for (const auto& [node, cpuset] : bindings) vertices.push_back(t.covering(node, *Cpuset::parse(cpuset)));
  const Hierarchy h = split_all(t.parents(), vertices);
  std::vector<Step> steps;
  for (size_t step = 0;; ++step) {
    Step s;
    std::vector<int> null;
    int asking = 0;
    for (size_t r = 0; r < h.levels.size(); ++r) {
      if (h.levels[r].size() < step) continue;  // MPI_COMM_NULL since an earlier step
      ++asking;
      if (h.levels[r].size() == step) {
        null.push_back(static_cast<int>(r));
        continue;
      }
      const Communicator& c = h.comms[h.levels[r][step]];
      if (c.members.front() != static_cast<int>(r)) continue;
      s.comms.push_back(t.name(c.cover) + " " + std::to_string(c.index) + "/" + std::to_string(h.num_comms(c)) + " " +
                        set_of(c.members));
      if (h.roots(c).front() == static_cast<int>(r)) s.roots.push_back(set_of(h.roots(c)));
    }
    if (asking == 0) return steps;
    if (!null.empty()) s.comms.push_back("NULL " + set_of(null));
    steps.push_back(s);
  }
}

using Strings = std::vector<std::string>;

// Figure 1: two NUMA nodes, each a package with one L3; four cores each; an L2 and an L1 for each pair of cores.
constexpr const char* kFigure1 = "pack:2 [numa] l3:1 l2:2 l1d:1 core:2 pu:1";

TEST(Rr9077, Section51FourNodesEveryRankItsCore) {
  const auto t = parse_tree(std::string("node:4 ") + kFigure1);
  std::vector<std::pair<int, std::string>> bindings;
  for (int x = 0; x < 32; ++x) bindings.emplace_back(x / 8, std::to_string(x % 8));
  const std::vector<Step> steps = steps_of(*t, bindings);
  ASSERT_EQ(steps.size(), 5u);
  EXPECT_EQ(steps[0].comms,
            (Strings{"Machine 0/4 {0,1,2,3,4,5,6,7}", "Machine 1/4 {8,9,10,11,12,13,14,15}",
                     "Machine 2/4 {16,17,18,19,20,21,22,23}", "Machine 3/4 {24,25,26,27,28,29,30,31}"}));
  EXPECT_EQ(steps[0].roots, (Strings{"{0,8,16,24}"}));
  EXPECT_EQ(steps[1].comms,
            (Strings{"L3 0/2 {0,1,2,3}", "L3 1/2 {4,5,6,7}", "L3 0/2 {8,9,10,11}", "L3 1/2 {12,13,14,15}",
                     "L3 0/2 {16,17,18,19}", "L3 1/2 {20,21,22,23}", "L3 0/2 {24,25,26,27}", "L3 1/2 {28,29,30,31}"}));
  EXPECT_EQ(steps[1].roots, (Strings{"{0,4}", "{8,12}", "{16,20}", "{24,28}"}));
  Strings pairs, pair_roots, cores, core_roots, null = {"NULL {"};
  for (int x = 0; x < 32; ++x) {
    const auto s = [](int i) { return std::to_string(i); };
    if (x % 2 == 0) pairs.push_back("L1d " + s(x / 2 % 2) + "/2 {" + s(x) + "," + s(x + 1) + "}");
    if (x % 4 == 0) pair_roots.push_back("{" + s(x) + "," + s(x + 2) + "}");
    cores.push_back("Core " + s(x % 2) + "/2 {" + s(x) + "}");
    if (x % 2 == 0) core_roots.push_back("{" + s(x) + "," + s(x + 1) + "}");
    null[0] += (x > 0 ? "," : "") + s(x);
  }
  null[0] += "}";
  EXPECT_EQ(steps[2].comms, pairs);
  EXPECT_EQ(steps[2].roots, pair_roots);
  EXPECT_EQ(steps[3].comms, cores);
  EXPECT_EQ(steps[3].roots, core_roots);
  EXPECT_EQ(steps[4].comms, null);
  EXPECT_EQ(steps[4].roots, Strings{});
}

TEST(Rr9077, Section52OneNodeUnevenBindings) {
  const auto t = parse_tree(kFigure1);
  const std::vector<Step> steps =
      steps_of(*t, {{0, "0"}, {0, "1"}, {0, "2-3"}, {0, "2-3"}, {0, "4-7"}, {0, "4-7"}, {0, "4-7"}, {0, "4-7"}});
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0].comms, (Strings{"L3 0/2 {0,1,2,3}", "L3 1/2 {4,5,6,7}"}));
  EXPECT_EQ(steps[0].roots, (Strings{"{0,4}"}));
  EXPECT_EQ(steps[1].comms, (Strings{"L1d 0/2 {0,1}", "L1d 1/2 {2,3}", "NULL {4,5,6,7}"}));
  EXPECT_EQ(steps[1].roots, (Strings{"{0,2}"}));
  EXPECT_EQ(steps[2].comms, (Strings{"Core 0/2 {0}", "Core 1/2 {1}", "NULL {2,3}"}));
  EXPECT_EQ(steps[2].roots, (Strings{"{0,1}"}));
  EXPECT_EQ(steps[3].comms, (Strings{"NULL {0,1}"}));
}

// Open MPI puts ranks 2 and 5, whose cores are in two L3s, into groups that overlap.
TEST(OpenMpiIssue12812, BindingsThatSpanTwoL3GetNone) {
  const auto t = parse_tree("l3:3 core:8 pu:1");
  std::vector<std::pair<int, std::string>> bindings;
  for (int r = 0; r < 8; ++r) bindings.emplace_back(0, std::to_string(3 * r) + "-" + std::to_string(3 * r + 2));
  const std::vector<Step> steps = steps_of(*t, bindings);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].comms, (Strings{"L3 0/3 {0,1}", "L3 1/3 {3,4}", "L3 2/3 {6,7}", "NULL {2,5}"}));
  EXPECT_EQ(steps[0].roots, (Strings{"{0,3,6}"}));
  // Three cores are not an object, so there is no level below.
  EXPECT_EQ(steps[1].comms, (Strings{"NULL {0,1,3,4,6,7}"}));
}

TEST(OpenMpiIssue10416, UnboundRanksAreNoGroupsOfOne) {
  const auto t = parse_tree("node:2 pack:2 core:4 pu:1");
  const std::vector<Step> one_node = steps_of(*t, {{0, "0-7"}, {0, "0-7"}, {0, "0-7"}, {0, "0-7"}});
  ASSERT_EQ(one_node.size(), 1u);
  EXPECT_EQ(one_node[0].comms, (Strings{"NULL {0,1,2,3}"}));
  const std::vector<Step> two_nodes = steps_of(*t, {{0, "0-7"}, {1, "0-7"}, {0, "0-7"}, {1, "0-7"}});
  ASSERT_EQ(two_nodes.size(), 2u);
  EXPECT_EQ(two_nodes[0].comms, (Strings{"NUMANode 0/2 {0,2}", "NUMANode 1/2 {1,3}"}));
  EXPECT_EQ(two_nodes[0].roots, (Strings{"{0,1}"}));
  EXPECT_EQ(two_nodes[1].comms, (Strings{"NULL {0,1,2,3}"}));
}

TEST(Names, OneRankANodeIsNamedByItsCore) {
  const auto t = parse_tree("node:3 pack:2 core:4 pu:1");
  const std::vector<Step> steps = steps_of(*t, {{0, "1"}, {1, "5"}, {2, "0"}});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].comms, (Strings{"Core 0/3 {0}", "Core 1/3 {1}", "Core 2/3 {2}"}));
}

// Switches with 2 and 1 nodes, and a rank on each core. The switch is a level; if it has a single node, the level has
// the node's name. (hwloc gives every node a NUMA node. If it is the only one, it is directly below the Machine.)
TEST(Names, UnequalSwitchesAreLevels) {
  const NetworkGroup network{
      .level = "",
      .groups = {{.level = "Switch", .groups = {}, .nodes = 2}, {.level = "Switch", .groups = {}, .nodes = 1}}};
  const Topology t(network, std::vector(3, import_node_synthetic("core:2 pu:1")));
  const std::vector<Step> steps = steps_of(t, {{0, "0"}, {0, "1"}, {1, "0"}, {1, "1"}, {2, "0"}, {2, "1"}});
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0].comms, (Strings{"Switch 0/2 {0,1,2,3}", "NUMANode 1/2 {4,5}"}));
  EXPECT_EQ(steps[1].comms, (Strings{"NUMANode 0/2 {0,1}", "NUMANode 1/2 {2,3}", "Core 0/2 {4}", "Core 1/2 {5}"}));
  EXPECT_EQ(steps[2].comms, (Strings{"Core 0/2 {0}", "Core 1/2 {1}", "Core 0/2 {2}", "Core 1/2 {3}", "NULL {4,5}"}));
  EXPECT_EQ(steps[3].comms, (Strings{"NULL {0,1,2,3}"}));
}

TEST(LowestCommonAncestor, OfOneIsItself) {
  const std::vector<int> parent = {-1, 0, 1, 1, 0};
  EXPECT_EQ(lowest_common_ancestor(parent, std::vector{3}), 3);
  EXPECT_EQ(lowest_common_ancestor(parent, std::vector{2, 3}), 1);
  EXPECT_EQ(lowest_common_ancestor(parent, std::vector{1, 3}), 1);
  EXPECT_EQ(lowest_common_ancestor(parent, std::vector{3, 4, 2}), 0);
}

}  // namespace
}  // namespace strata::mpix
