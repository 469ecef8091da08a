// SPDX-License-Identifier: LGPL-2.1-only
// Patterns, place trees, hop-bytes and mappings by examples. check/areas/mapping_properties.cc tests their general
// properties on all small cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <stdexcept>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/grouping.h"
#include "mpi_ext/reorder/mapping.h"
#include "mpi_ext/reorder/seats.h"
#include "platforms/topology.h"
#include "tests/mpi_ext/reorder_parts.h"

namespace strata::mpix {
namespace {

using namespace testing;  // NOLINT: patterns and trees
using ::testing::ElementsAre;

constexpr MapMethod kMethods[] = {MapMethod::kTreeMatch, MapMethod::kScotch, MapMethod::kRoundRobin, MapMethod::kRandom,
                                  MapMethod::kIdentity};

TEST(Pattern, AddsEntriesOfAPairAndLeavesOutZeroes) {
  const Pattern pattern(4, {{2, 1, 5}, {0, 3, 1}, {2, 0, 2}, {2, 1, 7}, {1, 1, 4}, {3, 2, 0}});
  EXPECT_EQ(pattern.order(), 4);
  EXPECT_EQ(pattern.entries(), 4);
  EXPECT_THAT(pattern.peers(2), ElementsAre(0, 1));
  EXPECT_THAT(pattern.bytes(2), ElementsAre(2, 12));
  EXPECT_THAT(pattern.peers(1), ElementsAre(1));
  EXPECT_TRUE(pattern.peers(3).empty());
}

TEST(Pattern, RefusesWhatIsNone) {
  EXPECT_THROW(Pattern(2, {{0, 2, 1}}), std::invalid_argument);
  EXPECT_THROW(Pattern(2, {{-1, 0, 1}}), std::invalid_argument);
  EXPECT_THROW(Pattern(2, {{0, 1, -1}}), std::invalid_argument);
  EXPECT_THROW(Pattern(2, {{0, 1, std::numeric_limits<double>::quiet_NaN()}}), std::invalid_argument);
  EXPECT_THROW(Pattern(2, {{0, 1, std::numeric_limits<double>::infinity()}}), std::invalid_argument);
  EXPECT_THROW(Pattern(-1, {}), std::invalid_argument);
}

TEST(PlaceTree, KeepsBranchesAndPlacesAndTheMachinesDepths) {
  const auto topology = parse_tree("switch:2 node:2 pack:2 core:2");
  // Two cores of one package, and one of a node on the other switch: the tree leaves out the node, package and switch
  // that have a single child.
  const auto cores = topology->cores();
  const PlaceTree tree = place_tree(*topology, {cores[12], cores[0], cores[1]});
  const int core = topology->depth(cores[0]);
  EXPECT_THAT(tree.parent, ElementsAre(-1, 0, 1, 1, 0));
  EXPECT_THAT(tree.depth, ElementsAre(0, core - 1, core, core, core));
  EXPECT_THAT(tree.place, ElementsAre(4, 2, 3));
  EXPECT_THAT(tree.node, ElementsAre(3, 0, 0));
  EXPECT_EQ(hops(tree, 0, 1), 2 * core);
  EXPECT_EQ(hops(tree, 1, 2), 2);
  EXPECT_TRUE(place_tree(*topology, {}).parent.empty());
}

// A tree whose paths do not fit into a word: each of its 70 depths has one leaf and the rest of the tree.
TEST(HopBytes, OfATreeThatIsVeryDeep) {
  PlaceTree tree;
  int spine = 0;
  tree.parent = {-1};
  tree.depth = {0};
  for (int depth = 1; depth <= 70; ++depth) {
    tree.parent.push_back(spine);
    tree.depth.push_back(depth);
    tree.place.push_back(static_cast<int>(tree.parent.size()) - 1);
    tree.parent.push_back(spine);
    tree.depth.push_back(depth);
    spine = static_cast<int>(tree.parent.size()) - 1;
  }
  tree.place.push_back(spine);
  Engine engine(1);
  const int order = static_cast<int>(tree.place.size());
  const Pattern pattern = random_pattern(order, 3, 9, engine);
  double expected = 0;
  for (int a = 0; a < order; ++a) {
    for (size_t i = 0; i < pattern.peers(a).size(); ++i)
      expected += pattern.bytes(a)[i] * hops(tree, a, pattern.peers(a)[i]);
  }
  EXPECT_EQ(hop_bytes(pattern, tree, identity_of(order)), expected);
  EXPECT_LT(hop_bytes(pattern, tree, map_ranks(pattern, tree, MapMethod::kTreeMatch)), expected);
}

TEST(Inverse, OfAPermutationThatIsNotItsOwn) {
  EXPECT_THAT(inverse({1, 2, 0}), ElementsAre(2, 0, 1));
  EXPECT_TRUE(inverse({}).empty());
  EXPECT_THROW(inverse({0, 0}), std::invalid_argument);
  EXPECT_THROW(inverse({0, 2}), std::invalid_argument);
  EXPECT_THROW(inverse({-1, 0}), std::invalid_argument);
}

// Three processes: 0 and 1 share a node, 2 is alone. Ranks 0 and 2 communicate, so the processes that become ranks 0
// and 2 must share the node: for example new_rank = {2, 0, 1}. hop_bytes must not use the inverse, {1, 2, 0}.
TEST(HopBytes, NewRankIsTheRankThatAProcessTakesOver) {
  const auto topology = parse_tree("node:2 core:2");
  const PlaceTree tree = place_tree(*topology, {topology->cores()[0], topology->cores()[1], topology->cores()[2]});
  const Pattern pattern(3, {{0, 2, 10}});
  const double on_node = 10.0 * hops(tree, 0, 1), off_node = 10.0 * hops(tree, 0, 2);
  ASSERT_LT(on_node, off_node);
  EXPECT_EQ(hop_bytes(pattern, tree, {2, 0, 1}), on_node);   // processes 0 and 1 become ranks 2 and 0
  EXPECT_EQ(hop_bytes(pattern, tree, {1, 2, 0}), off_node);  // processes 1 and 2 do
  for (MapMethod method : {MapMethod::kTreeMatch, MapMethod::kScotch}) {
    const std::vector<int> new_rank = map_ranks(pattern, tree, method);
    EXPECT_EQ(new_rank[2], 1) << name_of(method);
    EXPECT_EQ(hop_bytes(pattern, tree, new_rank), on_node) << name_of(method);
  }
}

TEST(Methods, HaveNames) {
  for (MapMethod method : kMethods) EXPECT_EQ(map_method(name_of(method)), method);
  EXPECT_EQ(map_method("metis"), std::nullopt);
  EXPECT_EQ(map_method_list(), "treematch, scotch, roundrobin, random, identity");
}

TEST(Methods, LeaveWhatIsBestAlready) {
  const PlaceTree tree = packed("node:2 pack:2 core:4");
  const std::vector<int> as_it_is = identity_of(16);
  for (MapMethod method : {MapMethod::kTreeMatch, MapMethod::kScotch}) {
    EXPECT_EQ(map_ranks({16, {}}, tree, method), as_it_is) << "no bytes, " << name_of(method);
    EXPECT_EQ(map_ranks(stencil({16}, as_it_is), tree, method), as_it_is) << "a line, " << name_of(method);
    std::vector<Flow> all;
    for (int a = 0; a < 16; ++a) {
      for (int b = 0; b < 16; ++b) all.push_back({a, b, 8});
    }
    EXPECT_EQ(map_ranks({16, all}, tree, method), as_it_is) << "all alike, " << name_of(method);
  }
  for (MapMethod method : kMethods) {
    EXPECT_THAT(map_ranks({1, {{0, 0, 5}}}, packed("core:1"), method), ElementsAre(0));
    EXPECT_TRUE(map_ranks({0, {}}, PlaceTree(), method).empty());
  }
}

TEST(Methods, DoNotCareForWhatARankSendsItself) {
  Engine engine(3);
  const PlaceTree tree = packed("node:4 pack:2 core:4");
  std::vector<Flow> flows;
  for (int i = 0; i < 100; ++i) flows.push_back({below(engine, 32), below(engine, 32), 1.0 + below(engine, 50)});
  std::erase_if(flows, [](const Flow& flow) { return flow.from == flow.to; });
  const Pattern without(32, flows);
  for (int r = 0; r < 32; r += 3) flows.push_back({r, r, 1e12});
  const Pattern with(32, flows);
  for (MapMethod method : kMethods) EXPECT_EQ(map_ranks(with, tree, method), map_ranks(without, tree, method));
}

TEST(Methods, PutDisconnectedGroupsOnNodesOfTheirOwn) {
  // Eight rings of 16 ranks on 8 nodes of 16 cores, with ranks that alternate between rings: each ring must get a node.
  const PlaceTree tree = packed("node:8 pack:2 core:8");
  std::vector<Flow> flows;
  for (int r = 0; r < 128; ++r) flows.push_back({r, (r + 8) % 128, 64});
  const Pattern pattern(128, flows);
  const std::vector<int> new_rank = map_ranks(pattern, tree, MapMethod::kTreeMatch);
  for (int p = 0; p < 128; ++p) EXPECT_EQ(new_rank[p] % 8, new_rank[p / 16 * 16] % 8) << p;
  // A ring of 16 has two edges between packages; all others are between neighbouring cores of a package.
  EXPECT_EQ(hop_bytes(pattern, tree, new_rank), 64.0 * 8 * (14 * hops(tree, 0, 1) + 2 * hops(tree, 0, 8)));
}

TEST(Methods, RoundRobinGoesRoundTheNodes) {
  const auto topology = parse_tree("switch:2 node:2 pack:2 core:2");
  EXPECT_THAT(map_ranks({16, {}}, packed("switch:2 node:2 pack:2 core:2"), MapMethod::kRoundRobin),
              ElementsAre(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  // Nodes of 3, 1 and 2 processes, with old ranks in a different order than places.
  const auto cores = topology->cores();
  const PlaceTree tree = place_tree(*topology, {cores[2], cores[0], cores[1], cores[4], cores[9], cores[8]});
  EXPECT_THAT(map_ranks({6, {}}, tree, MapMethod::kRoundRobin), ElementsAre(5, 0, 3, 1, 4, 2));
}

TEST(Methods, RandomIsBySeed) {
  const PlaceTree tree = packed("node:8 core:8");
  const Pattern none(64, {});
  EXPECT_EQ(map_ranks(none, tree, MapMethod::kRandom, 1), map_ranks(none, tree, MapMethod::kRandom, 1));
  EXPECT_NE(map_ranks(none, tree, MapMethod::kRandom, 1), map_ranks(none, tree, MapMethod::kRandom, 2));
}

TEST(Methods, RefuseAnotherNumberOfProcesses) {
  for (MapMethod method : kMethods) EXPECT_THROW(map_ranks({3, {}}, packed("core:4"), method), std::invalid_argument);
  EXPECT_THROW(hop_bytes({4, {}}, packed("core:4"), {0, 1, 2}), std::invalid_argument);
  EXPECT_THROW(hop_bytes({4, {}}, packed("core:4"), {0, 1, 2, 2}), std::invalid_argument);
}

// ----------------------------------------------------------------------------------- grouping, beginning with the
// leaves

std::optional<std::vector<int>> grouped_on(const Pattern& pattern, const PlaceTree& tree) {
  return grouped(affinity_graph(pattern.symmetric(), 64), tree, Seats(tree));
}

// Four heavy pairs, which communicate two by two: packages get a pair, nodes two.
TEST(Grouping, LevelAfterLevel) {
  std::vector<Flow> flows;
  for (int i = 0; i < 4; ++i) flows.push_back({i, i + 4, 100});
  flows.push_back({0, 6, 10});  // pairs 0 and 2
  flows.push_back({1, 7, 10});  // pairs 1 and 3
  const std::vector<int> process = grouped_on(Pattern(8, flows), packed("node:2 pack:2 core:2 pu:1")).value();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(process[i] / 2, process[i + 4] / 2);
  EXPECT_EQ(process[0] / 4, process[2] / 4);
  EXPECT_EQ(process[1] / 4, process[3] / 4);
  EXPECT_NE(process[0] / 4, process[1] / 4);
}

}  // namespace
}  // namespace strata::mpix
