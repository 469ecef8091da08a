// SPDX-License-Identifier: LGPL-2.1-only
// Networks of switches given by their cables: regular ones compared with the fat trees of fat_tree.h, route by route;
// irregular ones compared with a search of their graph; the file, and its errors.
#include "platforms/switches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "platforms/fabric.h"
#include "platforms/fat_tree.h"
#include "platforms/torus.h"
#include "tests/error_of.h"

namespace strata {
namespace {

SwitchesShape shape_of(const SwitchGraph& graph) {
  SwitchesShape shape{SwitchNetwork(graph), {}};
  shape.levels = usual_level_names(shape.network.num_levels());
  return shape;
}

// The graph of a fabric, with `nodes` nodes on each of its first `leaves` routers.
SwitchGraph graph_of(const Fabric& fabric, int leaves, int nodes) {
  SwitchGraph graph;
  graph.kinds = {"cable"};
  for (int s = 0; s < fabric.num_routers(); ++s) graph.switches.push_back("s" + std::to_string(s));
  std::map<std::pair<int, int>, int> cables;
  for (int l = 0; l < fabric.num_links(); ++l) {
    if (fabric.ends(l).from < fabric.ends(l).to) ++cables[{fabric.ends(l).from, fabric.ends(l).to}];
  }
  for (const auto& [ends, count] : cables) graph.links.push_back({ends.first, ends.second, 0, count});
  for (int i = 0; i < leaves * nodes; ++i) graph.nodes.push_back({"n" + std::to_string(i), i / nodes, i});
  return graph;
}

std::vector<int> route(const Fabric& fabric, int a, int b, int seat) {
  std::vector<int> links;
  fabric.route(a, b, seat, links);
  return links;
}

// Describes each link by its ends, and its number among the cables between them.
std::map<int, std::tuple<int, int, int>> cables_of(const Fabric& fabric) {
  std::map<std::pair<int, int>, int> seen;
  std::map<int, std::tuple<int, int, int>> cables;
  for (int l = 0; l < fabric.num_links(); ++l) {
    const auto [from, to] = fabric.ends(l);
    cables[l] = {from, to, seen[{from, to}]++};
  }
  return cables;
}

// The minimum number of links from `from` to each switch; -1: unreachable.
std::vector<int> distances(const Fabric& fabric, int from) {
  std::vector<std::vector<int>> next(fabric.num_routers());
  for (int l = 0; l < fabric.num_links(); ++l) next[fabric.ends(l).from].push_back(fabric.ends(l).to);
  std::vector<int> distance(fabric.num_routers(), -1);
  distance[from] = 0;
  std::queue<int> queue;
  for (queue.push(from); !queue.empty(); queue.pop()) {
    for (const int to : next[queue.front()]) {
      if (distance[to] >= 0) continue;
      distance[to] = distance[queue.front()] + 1;
      queue.push(to);
    }
  }
  return distance;
}

// Every route is a chain of links of minimum length, and a switch sends all messages for one target over the same link,
// as a forwarding table does. With spreading, as much leaves a switch as enters it.
void expect_sound(const SwitchesShape& shape) {
  const auto fabric = make_switches(shape);
  const SwitchGraph& graph = shape.network.graph();
  SCOPED_TRACE(describe(shape));
  std::map<std::pair<int, int>, int> table;  // by switch and target: the link
  std::vector<Fabric::Part> parts;
  for (int a = 0; a < shape.network.num_leaves(); ++a) {
    const std::vector<int> least = distances(*fabric, a);
    for (const SwitchGraph::Node& node : graph.nodes) {
      const std::vector<int> links = route(*fabric, a, node.at, node.target);
      ASSERT_EQ(static_cast<int>(links.size()), least[node.at]);
      int at = a;
      for (const int l : links) {
        ASSERT_EQ(fabric->ends(l).from, at);
        ASSERT_EQ(table.try_emplace({at, node.target}, l).first->second, l) << fabric->describe(l);
        at = fabric->ends(l).to;
      }
      ASSERT_EQ(at, node.at);
    }
    for (int b = 0; b < shape.network.num_leaves(); ++b) {
      parts.clear();
      fabric->spread(a, b, parts);
      std::vector<double> left(fabric->num_routers(), 0);
      std::set<int> links;
      double hops = 0;
      for (const auto& [link, part] : parts) {
        ASSERT_TRUE(links.insert(link).second);
        ASSERT_GT(part, 0);
        left[fabric->ends(link).from] += part;
        left[fabric->ends(link).to] -= part;
        hops += part;
      }
      ASSERT_NEAR(hops, a == b ? 0 : least[b], 1e-9);
      for (int s = 0; s < fabric->num_routers(); ++s) {
        ASSERT_NEAR(left[s], a == b ? 0 : s == a ? 1 : s == b ? -1 : 0, 1e-9);
      }
    }
  }
}

FatTreeShape fat_tree(std::vector<int> down, std::vector<int> up, std::vector<int> cables) {
  FatTreeShape shape{.down = std::move(down), .up = std::move(up), .cables = std::move(cables)};
  shape.nodes_per_router = shape.down.front();
  for (size_t l = 0; l < shape.up.size(); ++l) shape.levels.push_back("level " + std::to_string(l));
  return shape;
}

int leaves_of(const FatTreeShape& shape) {
  return std::accumulate(shape.down.begin() + 1, shape.down.end(), 1, std::multiplies<>());
}

// All small regular trees: the same route for every leaf switch and every target, and the same parts.
TEST(Switches, RegularTreesHaveTheRoutesOfFatTrees) {
  int trees = 0;
  std::vector<FatTreeShape> shapes;
  for (int nodes = 2; nodes <= 3; ++nodes) {
    for (int leaves = 2; leaves <= 4; ++leaves) {
      for (int up = 1; up <= 4; ++up) {
        for (int cables = 1; cables <= 3; ++cables) {
          shapes.push_back(fat_tree({nodes, leaves}, {up}, {cables}));
          for (int pods = 2; pods <= 3; ++pods) {
            for (int cores = 1; cores <= 3; ++cores) {
              shapes.push_back(fat_tree({nodes, leaves, pods}, {up, cores}, {cables, 1 + cores % 2}));
            }
          }
        }
      }
    }
  }
  shapes.push_back(fat_tree({2, 2, 2, 2}, {2, 2, 2}, {1, 1, 1}));
  for (const FatTreeShape& regular : shapes) {
    const auto expected = make_fat_tree(regular);
    const int leaves = leaves_of(regular);
    const SwitchesShape shape = shape_of(graph_of(*expected, leaves, regular.down.front()));
    const auto fabric = make_switches(shape);
    SCOPED_TRACE(describe(regular) + testing::PrintToString(regular.up) + testing::PrintToString(regular.cables));
    ASSERT_EQ(shape.network.why_no_fat_tree(), "");
    ASSERT_EQ(shape.network.num_levels(), static_cast<int>(regular.up.size()));
    auto known = cables_of(*expected), own = cables_of(*fabric);
    for (int a = 0; a < leaves; ++a) {
      for (int target = 0; target < leaves * regular.down.front(); ++target) {
        const int b = target / regular.down.front();
        const std::vector<int> links = route(*fabric, a, b, target);
        const std::vector<int> others = route(*expected, a, b, target % regular.down.front());
        ASSERT_EQ(links.size(), others.size());
        for (size_t i = 0; i < links.size(); ++i) ASSERT_EQ(own[links[i]], known[others[i]]) << a << " to " << target;
      }
      for (int b = 0; b < leaves; ++b) {
        std::vector<Fabric::Part> parts, others;
        fabric->spread(a, b, parts);
        expected->spread(a, b, others);
        std::map<std::tuple<int, int, int>, double> part_of;
        for (const auto& [link, part] : others) part_of[known[link]] = part;
        ASSERT_EQ(parts.size(), others.size());
        for (const auto& [link, part] : parts) ASSERT_NEAR(part, part_of.at(own[link]), 1e-12);
      }
    }
    ++trees;
  }
  EXPECT_EQ(trees, 2 * 3 * 4 * 3 * 7 + 1);
}

// If leaf switches have as many cables up as nodes, every shift of all nodes puts at most one message on each link.
TEST(Switches, ShiftsLoadALinkOnceWithFullBisection) {
  for (const FatTreeShape& regular : {fat_tree({4, 6}, {4}, {1}), fat_tree({4, 6}, {2}, {2}),
                                      fat_tree({2, 2, 4}, {2, 2}, {1, 1}), fat_tree({3, 3, 3}, {3, 3}, {1, 1})}) {
    const int per_leaf = regular.down.front(), nodes = leaves_of(regular) * per_leaf;
    const SwitchesShape shape = shape_of(graph_of(*make_fat_tree(regular), leaves_of(regular), per_leaf));
    const auto fabric = make_switches(shape);
    for (int shift = 1; shift < nodes; ++shift) {
      std::vector<int> load(fabric->num_links(), 0);
      for (int from = 0; from < nodes; ++from) {
        const int to = (from + shift) % nodes;
        for (const int l : route(*fabric, from / per_leaf, to / per_leaf, to)) ++load[l];
      }
      ASSERT_LE(*std::max_element(load.begin(), load.end()), 1) << describe(shape) << ", shift " << shift;
    }
  }
}

// Leaf switches of 1 to 5 nodes below spines, in one or several pods. Some cables are missing, and some are doubled or
// tripled.
SwitchGraph irregular_tree(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  SwitchGraph graph;
  graph.kinds = {"4xEDR", "4xFDR"};
  const auto add_switch = [&] {
    graph.switches.push_back("s" + std::to_string(graph.switches.size()));
    return static_cast<int>(graph.switches.size()) - 1;
  };
  const int cores = below(3);
  std::vector<int> core;
  for (int c = 0; c < cores; ++c) core.push_back(add_switch());
  for (int pods = cores == 0 ? 1 : 1 + below(3); pods > 0; --pods) {
    std::vector<int> spines;
    for (int i = 1 + below(4); i > 0; --i) {
      spines.push_back(add_switch());
      for (const int c : core) graph.links.push_back({spines.back(), c, below(2), 1 + below(2)});
    }
    for (int i = 1 + below(5); i > 0; --i) {
      const int leaf = add_switch();
      const int whole = below(static_cast<int>(spines.size()));  // cabled too; spine 0 connects the pod
      for (int s = 0; s < static_cast<int>(spines.size()); ++s) {
        if (s == 0 || s == whole || below(4) > 0) graph.links.push_back({leaf, spines[s], below(2), 1 + below(3)});
      }
      for (int n = 1 + below(5); n > 0; --n) {
        const int number = static_cast<int>(graph.nodes.size());
        graph.nodes.push_back({"n" + std::to_string(number), leaf, number});
      }
    }
  }
  return graph;
}

TEST(Switches, IrregularTreesAtRandom) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int trees = 0;
  for (int round = 0; round < 300; ++round) {
    const SwitchGraph graph = irregular_tree(random);
    const SwitchesShape shape = shape_of(graph);
    trees += shape.network.why_no_fat_tree().empty() ? 1 : 0;
    expect_sound(shape);
    if (HasFatalFailure()) return;
    const NetworkGroup tree = tree_of(shape);
    ASSERT_EQ(tree.count_nodes(), static_cast<int>(graph.nodes.size()));
  }
  EXPECT_GT(trees, 100);
}

// Networks that are not fat trees: tori, a ring, a tree with a node on a spine.
TEST(Switches, OtherNetworksHaveShortestWays) {
  for (const TorusShape& torus :
       {TorusShape{.dims = {4, 3, 2}, .wrap = {true, true, true}}, TorusShape{.dims = {5}, .wrap = {true}},
        TorusShape{.dims = {3, 3}, .wrap = {false, false}}}) {
    const auto fabric = make_torus(torus);
    const SwitchesShape shape = shape_of(graph_of(*fabric, fabric->num_routers(), 2));
    EXPECT_THAT(shape.network.why_no_fat_tree(), testing::HasSubstr("of one level"));
    EXPECT_EQ(shape.network.num_levels(), 1);
    expect_sound(shape);
  }
  SwitchGraph graph = graph_of(*make_fat_tree(fat_tree({2, 3}, {2}, {1})), 3, 2);
  graph.nodes.push_back({"storage", 3, 6});  // on a spine
  const SwitchesShape shape = shape_of(graph);
  EXPECT_EQ(shape.network.why_no_fat_tree(), "a cable joins switches s0 and s3 of one level");
  expect_sound(shape);
  // Two leaf switches that are connected only through a third one: the route goes down and up again.
  SwitchGraph valley;
  valley.kinds = {"cable"};
  valley.switches = {"a", "b", "c", "x", "y"};
  valley.links = {{0, 3, 0, 1}, {1, 3, 0, 1}, {1, 4, 0, 1}, {2, 4, 0, 1}};
  for (int i = 0; i < 3; ++i) valley.nodes.push_back({"n" + std::to_string(i), i, i});
  EXPECT_EQ(shape_of(valley).network.why_no_fat_tree(), "no shortest way from switch c to a goes up and then down");
  expect_sound(shape_of(valley));
}

// A switch without nodes that is connected with the spines, and one without cables, do not change routes.
TEST(Switches, SwitchesWithoutNodesBelowTheTopAreNotTaken) {
  const FatTreeShape regular = fat_tree({2, 3}, {2}, {2});
  const SwitchGraph graph = graph_of(*make_fat_tree(regular), 3, 2);
  SwitchGraph more = graph;
  more.switches.insert(more.switches.end(), {"empty", "alone"});
  more.links.push_back({3, 5, 0, 1});
  more.links.push_back({4, 5, 0, 1});
  const SwitchesShape shape = shape_of(graph), other = shape_of(more);
  EXPECT_EQ(describe(other), "fat tree of 3 leaf switches with 2 nodes each and 4 without, 14 cables");
  const auto fabric = make_switches(shape), beside = make_switches(other);
  auto cables = cables_of(*fabric), cables_beside = cables_of(*beside);
  for (int a = 0; a < 3; ++a) {
    for (int target = 0; target < 6; ++target) {
      const std::vector<int> links = route(*fabric, a, target / 2, target),
                             same = route(*beside, a, target / 2, target);
      ASSERT_EQ(links.size(), same.size());
      for (size_t i = 0; i < links.size(); ++i) ASSERT_EQ(cables[links[i]], cables_beside[same[i]]);
    }
  }
}

std::string text_of(const NetworkGroup& group) {
  std::string text;
  for (const NetworkGroup& g : group.groups) text += (text.empty() ? "(" : " (") + g.level + ": " + text_of(g) + ")";
  if (group.nodes > 0) text += (text.empty() ? "" : " ") + std::to_string(group.nodes);
  return text;
}

// The order of the nodes does not follow the tree: switches and groups are ordered by their first node.
TEST(Switches, TreeOfUnequalGroups) {
  SwitchGraph graph;
  graph.kinds = {"4xEDR"};
  graph.switches = {"core", "spine1", "spine2", "leaf1", "leaf2", "leaf3"};
  graph.links = {{0, 1, 0, 1}, {0, 2, 0, 1}, {1, 3, 0, 1}, {1, 4, 0, 2}, {2, 5, 0, 1}};
  graph.nodes = {{"c1", 5, 9}, {"b1", 4, 1}, {"a1", 3, 2}, {"b2", 4, 3}, {"c2", 5, 4}, {"c3", 5, 5}};
  const SwitchesShape shape = shape_of(graph);
  EXPECT_EQ(text_of(tree_of(shape)), "(Switch: 3) (Switch 2: (Switch: 2) (Switch: 1))");
  std::vector<std::string> nodes;
  for (const SwitchGraph::Node& node : shape.network.graph().nodes) nodes.push_back(node.name);
  EXPECT_THAT(nodes, testing::ElementsAre("c1", "c2", "c3", "b1", "b2", "a1"));
  EXPECT_THAT(shape.network.graph().switches,
              testing::ElementsAre("leaf3", "leaf2", "leaf1", "spine1", "spine2", "core"));
  EXPECT_EQ(describe(shape), "fat tree of 3 leaf switches with 1 to 3 nodes and 3 without, 6 cables");
  const auto fabric = make_switches(shape);
  std::vector<std::string> way;
  for (const int l : route(*fabric, 1, 0, 9)) way.push_back(fabric->describe(l));
  EXPECT_THAT(
      way, testing::ElementsAre("4xEDR link 1 from switch leaf2 to spine1", "4xEDR link 0 from switch spine1 to core",
                                "4xEDR link 0 from switch core to spine2", "4xEDR link 0 from switch spine2 to leaf3"));
  // If every switch has one node, the lowest level is that of the pods.
  graph.nodes = {{"a", 3, 0}, {"b", 4, 1}, {"c", 5, 2}};
  EXPECT_EQ(text_of(tree_of(shape_of(graph))), "(Switch: 2) (Switch: 1)");
  graph.nodes = {{"a", 3, 0}, {"b", 3, 1}};
  EXPECT_EQ(text_of(tree_of(shape_of(graph))), "2");
  EXPECT_EQ(shape_of(graph).network.num_levels(), 0);
}

// 16,384 nodes, as in a large cluster, and random routes.
TEST(Switches, Large) {
  const FatTreeShape regular = fat_tree({16, 32, 32}, {16, 16}, {1, 1});
  const auto expected = make_fat_tree(regular);
  const SwitchesShape shape = shape_of(graph_of(*expected, 1024, 16));
  EXPECT_EQ(describe(shape), "fat tree of 1024 leaf switches with 16 nodes each and 768 without, 24576 cables");
  const auto fabric = make_switches(shape);
  auto known = cables_of(*expected), own = cables_of(*fabric);
  std::mt19937 random(16'384);
  for (int i = 0; i < 20'000; ++i) {
    const int a = static_cast<int>(random() % 1024), target = static_cast<int>(random() % 16'384);
    const std::vector<int> links = route(*fabric, a, target / 16, target),
                           others = route(*expected, a, target / 16, target % 16);
    ASSERT_EQ(links.size(), others.size());
    for (size_t l = 0; l < links.size(); ++l) ASSERT_EQ(own[links[l]], known[others[l]]);
  }
}

// --- the file ------------------------------------------------------------------------------------------------------

class FabricFile : public testing::Test {
 protected:
  std::string write(const std::string& text) const {
    std::string file = std::filesystem::path(testing::TempDir()) / "fabric.txt";
    std::ofstream(file) << text;
    return file;
  }
  // The error without the file name.
  std::string error(const std::string& lines) const {
    const std::string file = write("strata.fabric/1\n" + lines);
    return error_of([&] { read_switch_graph(file); }, file);
  }
};

TEST_F(FabricFile, IsRead) {
  const SwitchGraph graph = read_switch_graph(
      write("strata.fabric/1\n# a comment\nswitch leaf1\n\nswitch \"leaf 2\"  # another\nswitch spine\n"
            "link leaf1 spine 4xEDR 2\nlink spine \"leaf 2\" \"1x EDR\"\nnode n1 leaf1\nnode \"n #2\" \"leaf 2\" "
            "7\nnode n3 leaf1\n"));
  EXPECT_THAT(graph.switches, testing::ElementsAre("leaf1", "leaf 2", "spine"));
  EXPECT_THAT(graph.kinds, testing::ElementsAre("1x EDR", "4xEDR"));
  ASSERT_EQ(graph.links.size(), 2u);
  EXPECT_EQ(graph.links[0].cables, 2);
  EXPECT_EQ(graph.links[0].kind, 1);
  EXPECT_EQ(graph.links[1].cables, 1);
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[1].name, "n #2");
  EXPECT_EQ(graph.nodes[1].target, 7);
  EXPECT_EQ(graph.nodes[2].target, 2);
  const std::string text = format_switch_graph(graph);
  EXPECT_EQ(format_switch_graph(read_switch_graph(write(text))), text);
}

TEST_F(FabricFile, Faults) {
  const std::string two = "switch a\nswitch b\n";
  EXPECT_EQ(error("switch a\nswitch a\n"), ":3: switch 'a' is described twice; keep one; the other is line 2");
  EXPECT_EQ(error(two + "node n a\nnode n b\n"), ":5: node 'n' is described twice; keep one; the other is line 4");
  EXPECT_EQ(error("node n a\n"), ":2: switch 'a' is not described; give its `switch` line before");
  EXPECT_EQ(error(two + "link a c x\n"), ":4: switch 'c' is not described; give its `switch` line before");
  EXPECT_EQ(error(two + "link a a x\n"), ":4: connects switch 'a' with itself; name two switches");
  EXPECT_EQ(error(two + "link a b x\nlink b a x\n"),
            ":5: a second line of 'x' cables between 'b' and 'a'; add its cables to line 4");
  EXPECT_EQ(error(two + "link a b x 0\n"), ":4: '0' is not a number from 1 to 1000000; write one");
  EXPECT_EQ(error(two + "link a b x 1000000\nlink a b y\n"), ":5: more than 1000000 cables; give fewer");
  EXPECT_EQ(error(two + "node n a 1\nnode m b 1\n"), ":5: target 1 is also that of line 4; give each node its own");
  EXPECT_EQ(error(two + "node n a\nnode m b\n"),
            ":5: no cables lead from node 'n' to node 'm'; give the links between their switches");
  EXPECT_EQ(error(two), ":3: no `node` line; give each node a line: node NAME SWITCH");
  EXPECT_EQ(error("switch \"a\n"), ":2: has a quote that is not closed; close it");
  EXPECT_EQ(error("switch \"\"\n"), ":2: has an empty name; write a name");
  EXPECT_EQ(
      error("Switch 36 \"S-1\"\n"),
      ":2: 'Switch 36 \"S-1\"' is not a line of a fabric; write `switch NAME`, `link SWITCH SWITCH KIND [CABLES]` or "
      "`node NAME SWITCH [TARGET]`");
  const std::string other = write("SwitchName=a\n");
  try {
    read_switch_graph(other);
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_EQ(e.what(),
              other + ":1: is not the line strata.fabric/1; give a fabric file, which begins with strata.fabric/1");
  }
}

}  // namespace
}  // namespace strata
