// SPDX-License-Identifier: LGPL-2.1-only
// Routes of tori, dragonflies and fat trees compared with a search of the graph of their links; how evenly links are
// loaded; and the parts of spread messages compared with an enumeration of all routes.
#include "platforms/fabric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platforms/dragonfly.h"
#include "platforms/fat_tree.h"
#include "platforms/torus.h"

namespace strata {
namespace {

TorusShape torus(std::vector<int> dims, std::vector<bool> wrap = {}) {
  if (wrap.empty()) wrap.assign(dims.size(), true);
  return {.dims = std::move(dims), .wrap = std::move(wrap)};
}

DragonflyShape dragonfly(int groups, int rows, int columns, int global_links) {
  return {.groups = groups, .rows = rows, .columns = columns, .nodes_per_router = 1, .global_links = global_links};
}

// A router's coordinates; the last one changes fastest.
std::vector<int> coordinates(const TorusShape& shape, int router) {
  std::vector<int> at(shape.dims.size());
  for (size_t d = at.size(); d-- > 0; router /= shape.dims[d]) at[d] = router % shape.dims[d];
  return at;
}

using Graph = std::vector<std::vector<int>>;  // by router: the links that leave it

Graph graph_of(const Fabric& fabric) {
  Graph graph(fabric.num_routers());
  for (int l = 0; l < fabric.num_links(); ++l) graph[fabric.ends(l).from].push_back(l);
  return graph;
}

// The minimum number of links from `from` to each router, over links for which `open` is true; -1: unreachable.
template <class Open>
std::vector<int> distances(const Fabric& fabric, const Graph& graph, int from, Open open) {
  std::vector<int> distance(graph.size(), -1);
  distance[from] = 0;
  std::queue<int> next;
  for (next.push(from); !next.empty(); next.pop()) {
    for (const int l : graph[next.front()]) {
      const int to = fabric.ends(l).to;
      if (!open(l) || distance[to] >= 0) continue;
      distance[to] = distance[next.front()] + 1;
      next.push(to);
    }
  }
  return distance;
}

std::vector<int> route(const Fabric& fabric, int a, int b, int seat = 0) {
  std::vector<int> links;
  fabric.route(a, b, seat, links);
  return links;
}

// Expects the route to lead from `a` to `b`, link after link.
void expect_chain(const Fabric& fabric, int a, int b, const std::vector<int>& links) {
  int at = a;
  for (const int l : links) {
    ASSERT_GE(l, 0);
    ASSERT_LT(l, fabric.num_links());
    ASSERT_EQ(fabric.ends(l).from, at) << fabric.describe(l);
    at = fabric.ends(l).to;
  }
  ASSERT_EQ(at, b);
}

// Messages over each link when every router sends one to every other.
std::vector<long> loads(const Fabric& fabric) {
  std::vector<long> load(fabric.num_links(), 0);
  std::vector<int> links;
  for (int a = 0; a < fabric.num_routers(); ++a) {
    for (int b = 0; b < fabric.num_routers(); ++b) {
      links.clear();
      fabric.route(a, b, 0, links);
      for (const int l : links) ++load[l];
    }
  }
  return load;
}

// The minimum and maximum load of a link, by kind.
std::map<std::string, std::pair<long, long>> load_of_kinds(const Fabric& fabric) {
  const std::vector<long> load = loads(fabric);
  std::map<std::string, std::pair<long, long>> kinds;
  for (int l = 0; l < fabric.num_links(); ++l) {
    auto& [least, most] = kinds.try_emplace(fabric.kinds()[fabric.kind(l)], load[l], load[l]).first->second;
    least = std::min(least, load[l]);
    most = std::max(most, load[l]);
  }
  return kinds;
}

const std::vector<TorusShape>& small_tori() {
  static const std::vector<TorusShape> shapes = {
      torus({1}),
      torus({2}),
      torus({2}, {false}),
      torus({7}),
      torus({8}),
      torus({5}, {false}),
      torus({3, 4}),
      torus({4, 6}),
      torus({4, 5}, {false, true}),
      torus({4, 4, 4}),
      torus({5, 3, 2}),
      torus({1, 6, 1, 2}),
      torus({3, 4, 5}, {true, false, true}),
      torus({4, 3, 2}, {false, false, false}),
      torus({2, 2, 2, 2, 2, 2}),
      torus({3, 2, 3, 2, 3, 2}, {true, false, true, true, false, true}),
  };
  return shapes;
}

// Each link connects neighbours along its dimension, and all neighbours are connected once in each direction (twice in
// a ring of 2).
TEST(Torus, Links) {
  for (const TorusShape& shape : small_tori()) {
    const auto fabric = make_torus(shape);
    SCOPED_TRACE(describe(shape));
    ASSERT_EQ(fabric->num_routers(), std::accumulate(shape.dims.begin(), shape.dims.end(), 1, std::multiplies<>()));
    std::multiset<std::pair<int, int>> joined, expected;
    for (int l = 0; l < fabric->num_links(); ++l) {
      const auto [from, to] = fabric->ends(l);
      joined.emplace(from, to);
      const std::vector<int> a = coordinates(shape, from), b = coordinates(shape, to);
      for (size_t d = 0; d < a.size(); ++d) ASSERT_EQ(a[d] != b[d], static_cast<int>(d) == fabric->kind(l));
    }
    for (int a = 0; a < fabric->num_routers(); ++a) {
      for (int b = 0; b < fabric->num_routers(); ++b) {
        const std::vector<int> from = coordinates(shape, a), to = coordinates(shape, b);
        for (size_t d = 0; d < from.size(); ++d) {
          std::vector<int> others_from = from, others_to = to;
          others_from[d] = others_to[d] = 0;
          if (others_from != others_to || from[d] == to[d]) continue;
          const int n = shape.dims[d];
          if (to[d] == from[d] + 1 || (shape.wrap[d] && from[d] == n - 1 && to[d] == 0)) expected.emplace(a, b);
          if (to[d] == from[d] - 1 || (shape.wrap[d] && from[d] == 0 && to[d] == n - 1)) expected.emplace(a, b);
        }
      }
    }
    EXPECT_EQ(joined, expected);
  }
}

// Every pair: a route has as few links as a breadth-first search finds, and takes one dimension after the other, in
// order.
TEST(Torus, RoutesAreShortest) {
  long pairs = 0;
  for (const TorusShape& shape : small_tori()) {
    const auto fabric = make_torus(shape);
    const Graph graph = graph_of(*fabric);
    SCOPED_TRACE(describe(shape));
    for (int a = 0; a < fabric->num_routers(); ++a) {
      const std::vector<int> least = distances(*fabric, graph, a, [](int) { return true; });
      for (int b = 0; b < fabric->num_routers(); ++b, ++pairs) {
        const std::vector<int> links = route(*fabric, a, b);
        expect_chain(*fabric, a, b, links);
        ASSERT_EQ(static_cast<int>(links.size()), least[b]) << a << " to " << b;
        for (size_t i = 1; i < links.size(); ++i) ASSERT_LE(fabric->kind(links[i - 1]), fabric->kind(links[i]));
      }
    }
  }
  EXPECT_EQ(pairs, 1 + 4 + 4 + 49 + 64 + 25 + 144 + 576 + 400 + 4096 + 900 + 144 + 3600 + 576 + 4096 + 216 * 216);
}

// The 24 x 24 x 24 routers of Blue Waters: random pairs, whose distance is known without a search.
TEST(Torus, LargeAtRandom) {
  const TorusShape shape = torus({24, 24, 24}, {true, true, false});
  const auto fabric = make_torus(shape);
  EXPECT_EQ(fabric->num_links(), 2 * (24 * 24 * 24 + 24 * 24 * 24 + 24 * 24 * 23));
  const unsigned seed = 20'100'818;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const int a = static_cast<int>(random() % 13'824), b = static_cast<int>(random() % 13'824);
    const std::vector<int> from = coordinates(shape, a), to = coordinates(shape, b);
    int least = 0;
    for (size_t d = 0; d < 3; ++d) {
      const int apart = std::abs(to[d] - from[d]);
      least += shape.wrap[d] ? std::min(apart, 24 - apart) : apart;
    }
    const std::vector<int> links = route(*fabric, a, b);
    expect_chain(*fabric, a, b, links);
    ASSERT_EQ(static_cast<int>(links.size()), least) << a << " to " << b;
  }
}

// All-to-all traffic. Over the 2 n links of a ring of n routers go n n^2/4 hops for even n, n (n^2 - 1)/4 for odd n,
// times the number of parallel rings: the target may be in any of them.
TEST(Torus, UniformTrafficLoadsTheLinksOfADimensionAlike) {
  using Range = std::pair<long, long>;
  const auto same = [](long load) { return Range(load, load); };
  EXPECT_EQ(load_of_kinds(*make_torus(torus({4, 4, 4}))),
            (std::map<std::string, Range>{{"x", same(32)}, {"y", same(32)}, {"z", same(32)}}));
  EXPECT_EQ(
      load_of_kinds(*make_torus(torus({8, 6, 2}))),
      (std::map<std::string, Range>{{"x", same(12 * 64 / 8)}, {"y", same(16 * 36 / 8)}, {"z", same(48 * 4 / 8)}}));
  EXPECT_EQ(load_of_kinds(*make_torus(torus({5, 7}))),
            (std::map<std::string, Range>{{"x", same(3 * 7)}, {"y", same(6 * 5)}}));
  // The 6 pairs that are 3 apart have 18 hops over 12 links, so loads differ by one.
  EXPECT_EQ(load_of_kinds(*make_torus(torus({6}))), (std::map<std::string, Range>{{"x", {4, 5}}}));
  // A line of n routers: i (n - i) pairs use the link after the i-th router, times the number of parallel lines.
  EXPECT_EQ(load_of_kinds(*make_torus(torus({4, 3}, {false, true}))),
            (std::map<std::string, Range>{{"x", {3 * 3, 4 * 3}}, {"y", same(4)}}));
}

// Links from one half to the other: a cut crosses each line along the dimension once, or twice if it wraps around.
TEST(Torus, Bisection) {
  const auto cut = [](const TorusShape& shape, size_t d) {
    const auto fabric = make_torus(shape);
    int links = 0;
    for (int l = 0; l < fabric->num_links(); ++l) {
      const auto [from, to] = fabric->ends(l);
      const bool low = coordinates(shape, from)[d] < shape.dims[d] / 2;
      links += low && coordinates(shape, to)[d] >= shape.dims[d] / 2 ? 1 : 0;
    }
    return links;
  };
  EXPECT_EQ(cut(torus({8, 4, 6}), 0), 2 * 4 * 6);
  EXPECT_EQ(cut(torus({8, 4, 6}), 2), 2 * 8 * 4);
  EXPECT_EQ(cut(torus({8, 4, 6}, {false, true, true}), 0), 4 * 6);
}

TEST(Torus, Descriptions) {
  const auto fabric = make_torus(torus({3, 2, 4}, {true, true, false}));
  EXPECT_EQ(fabric->describe(route(*fabric, 3, 11)[0]), "x+ link of router (0,0,3)");  // to (1,0,3)
  EXPECT_EQ(fabric->describe(route(*fabric, 3, 19)[0]), "x- link of router (0,0,3)");  // to (2,0,3)
  EXPECT_EQ(fabric->describe(route(*fabric, 11, 8)[2]), "z- link of router (1,0,1)");  // to (1,0,0), third step
  EXPECT_EQ(describe(torus({24, 24, 24})), "torus 24 x 24 x 24");
  EXPECT_EQ(describe(torus({4, 4}, {false, false})), "mesh 4 x 4");
  TorusShape shape = torus({3, 2, 4}, {true, true, false});
  shape.nodes_per_router = 2;
  EXPECT_EQ(describe(shape), "torus 3 x 2 x 4 (open in z), 2 nodes a router");
  std::set<std::string> names;
  for (int l = 0; l < fabric->num_links(); ++l) names.insert(fabric->describe(l));
  EXPECT_EQ(static_cast<int>(names.size()), fabric->num_links());
}

TEST(Torus, RefusesShapesThatAreNone) {
  EXPECT_THROW(make_torus({.dims = {}, .wrap = {}}), std::invalid_argument);
  EXPECT_THROW(make_torus(torus({3, 0})), std::invalid_argument);
  EXPECT_THROW(make_torus(torus({3, 3}, {true})), std::invalid_argument);
  EXPECT_THROW(make_torus(torus({1, 1, 1, 1, 1, 1, 1})), std::invalid_argument);
}

const std::vector<DragonflyShape>& small_dragonflies() {
  static const std::vector<DragonflyShape> shapes = {
      dragonfly(1, 1, 1, 1), dragonfly(1, 3, 4, 1), dragonfly(2, 1, 1, 1), dragonfly(2, 1, 1, 3), dragonfly(2, 2, 3, 1),
      dragonfly(2, 3, 2, 4), dragonfly(3, 2, 2, 2), dragonfly(4, 1, 5, 1), dragonfly(5, 4, 1, 3), dragonfly(3, 3, 5, 7),
      dragonfly(7, 2, 3, 1), dragonfly(9, 2, 4, 1), dragonfly(4, 2, 4, 8), dragonfly(2, 2, 2, 9)};
  return shapes;
}

// In a group every router is connected with all others of its row and of its column. Any two groups are connected by
// the given number of links.
TEST(Dragonfly, Links) {
  for (const DragonflyShape& s : small_dragonflies()) {
    const auto fabric = make_dragonfly(s);
    SCOPED_TRACE(describe(s));
    const int per_group = s.rows * s.columns;
    ASSERT_EQ(fabric->num_routers(), s.groups * per_group);
    std::set<std::pair<int, int>> in_group;
    std::map<std::pair<int, int>, int> between;
    std::vector<int> ends(fabric->num_routers(), 0);  // ends of links between groups
    for (int l = 0; l < fabric->num_links(); ++l) {
      const auto [from, to] = fabric->ends(l);
      const std::string& kind = fabric->kinds()[fabric->kind(l)];
      if (from / per_group != to / per_group) {
        EXPECT_EQ(kind, "global");
        ++between[{from / per_group, to / per_group}];
        ++ends[from];
      } else {
        EXPECT_TRUE(in_group.emplace(from, to).second);
        EXPECT_NE(from, to);
        if (kind == "row") {
          EXPECT_EQ(from / s.columns, to / s.columns);
        } else {
          EXPECT_EQ(kind, "column");
          EXPECT_EQ(from % s.columns, to % s.columns);
        }
      }
    }
    EXPECT_EQ(static_cast<int>(in_group.size()), s.groups * per_group * (s.columns - 1 + s.rows - 1));
    EXPECT_EQ(static_cast<int>(between.size()), s.groups * (s.groups - 1));
    for (const auto& [groups, links] : between) EXPECT_EQ(links, s.global_links);
    const auto [least, most] = std::minmax_element(ends.begin(), ends.end());
    EXPECT_LE(*most - *least, 1) << "ends are spread evenly";
  }
}

// A cable has a link in each direction: the links back connect the same routers.
TEST(Dragonfly, LinksBetweenGroupsLeadBackToo) {
  for (const DragonflyShape& s : small_dragonflies()) {
    const auto fabric = make_dragonfly(s);
    std::multiset<std::pair<int, int>> there, back;
    for (int l = 0; l < fabric->num_links(); ++l) {
      const auto [from, to] = fabric->ends(l);
      there.emplace(from, to);
      back.emplace(to, from);
    }
    EXPECT_EQ(there, back) << describe(s);
  }
}

// Routes from `a`. Within a group a route is as short as possible. Between groups it has one global link, and as few
// links to and from it as a search within the groups finds.
void expect_minimal(const DragonflyShape& s, const Fabric& fabric, const Graph& graph, int a,
                    const std::vector<int>& bs) {
  const int per_group = s.rows * s.columns;
  const auto is_global = [&](int l) { return fabric.kinds()[fabric.kind(l)] == "global"; };
  const auto local = [&](int l) { return !is_global(l); };
  const std::vector<int> from_a = distances(fabric, graph, a, local);
  std::map<int, std::vector<int>> from_end;
  for (const int b : bs) {
    const std::vector<int> links = route(fabric, a, b);
    expect_chain(fabric, a, b, links);
    const auto global = std::find_if(links.begin(), links.end(), is_global);
    ASSERT_EQ(std::count_if(links.begin(), links.end(), is_global), a / per_group == b / per_group ? 0 : 1);
    if (global == links.end()) {
      ASSERT_EQ(static_cast<int>(links.size()), from_a[b]);
      ASSERT_LE(links.size(), 2u);
      continue;
    }
    const auto [leaves, enters] = fabric.ends(*global);
    ASSERT_EQ(leaves / per_group, a / per_group);
    ASSERT_EQ(enters / per_group, b / per_group);
    ASSERT_EQ(global - links.begin(), from_a[leaves]);
    auto at = from_end.find(enters);
    if (at == from_end.end()) at = from_end.emplace(enters, distances(fabric, graph, enters, local)).first;
    ASSERT_EQ(links.end() - global - 1, at->second[b]);
    ASSERT_LE(links.size(), 5u);
  }
}

TEST(Dragonfly, RoutesAreMinimal) {
  for (const DragonflyShape& s : small_dragonflies()) {
    const auto fabric = make_dragonfly(s);
    const Graph graph = graph_of(*fabric);
    SCOPED_TRACE(describe(s));
    std::vector<int> all(fabric->num_routers());
    std::iota(all.begin(), all.end(), 0);
    for (const int a : all) expect_minimal(s, *fabric, graph, a, all);
  }
}

// If two groups have more links than a group has routers, all links are used.
TEST(Dragonfly, AllGlobalLinksAreTaken) {
  for (const DragonflyShape& s : {dragonfly(2, 1, 4, 8), dragonfly(2, 2, 2, 9), dragonfly(3, 2, 4, 11)}) {
    const auto fabric = make_dragonfly(s);
    std::set<int> taken;
    std::vector<int> links;
    for (int a = 0; a < fabric->num_routers(); ++a) {
      for (int b = 0; b < fabric->num_routers(); ++b) fabric->route(a, b, 0, links);
    }
    for (const int l : links) {
      if (fabric->kinds()[fabric->kind(l)] == "global") taken.insert(l);
    }
    EXPECT_EQ(static_cast<int>(taken.size()), s.groups * (s.groups - 1) * s.global_links) << describe(s);
  }
}

// As large as Theta (9 groups of 6 x 16) and as Piz Daint, with one link between any two groups.
TEST(Dragonfly, LargeAtRandom) {
  const unsigned seed = 20'121'119;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const DragonflyShape& s : {dragonfly(9, 6, 16, 12), dragonfly(28, 6, 16, 1)}) {
    const auto fabric = make_dragonfly(s);
    const Graph graph = graph_of(*fabric);
    for (int i = 0; i < 100; ++i) {
      std::vector<int> targets(50);
      for (int& b : targets) b = static_cast<int>(random() % fabric->num_routers());
      expect_minimal(s, *fabric, graph, static_cast<int>(random() % fabric->num_routers()), targets);
    }
  }
}

// All-to-all traffic between groups of `a` routers: a^2 messages from one group to another, distributed equally over
// the links if the number of links divides the number of routers.
TEST(Dragonfly, UniformTrafficLoadsTheLinksBetweenGroupsAlike) {
  EXPECT_EQ(load_of_kinds(*make_dragonfly(dragonfly(2, 6, 16, 8)))["global"], std::pair(96L * 96 / 8, 96L * 96 / 8));
  EXPECT_EQ(load_of_kinds(*make_dragonfly(dragonfly(4, 2, 4, 4)))["global"], std::pair(64L / 4, 64L / 4));
  EXPECT_EQ(load_of_kinds(*make_dragonfly(dragonfly(5, 2, 3, 1)))["global"], std::pair(36L, 36L));
  // 96 = 13 * 7 + 5: for the 16 targets of a row, 5 of the 7 links carry the messages of 14 routers, and 2 those of 13.
  // The links take turns, so over the 6 rows a link carries 14 four or five times.
  const auto [least, most] = load_of_kinds(*make_dragonfly(dragonfly(2, 6, 16, 7)))["global"];
  EXPECT_EQ(least, 16 * (6 * 13 + 4));
  EXPECT_EQ(most, 16 * (6 * 13 + 5));
}

// If every router sends to its counterpart in another group, all links carry equally many messages. If one router sends
// to all of another group, a link is used for each row of targets.
TEST(Dragonfly, OtherTrafficUsesAllLinksBetweenGroupsToo) {
  const auto fabric = make_dragonfly(dragonfly(2, 6, 16, 8));
  std::map<int, int> shifted, scattered;
  const auto add = [&](int a, int b, std::map<int, int>& uses) {
    for (const int l : route(*fabric, a, b)) {
      if (fabric->kinds()[fabric->kind(l)] == "global") ++uses[l];
    }
  };
  for (int i = 0; i < 96; ++i) {
    add(i, 96 + i, shifted);
    add(5, 96 + i, scattered);
  }
  EXPECT_EQ(shifted.size(), 8u);
  for (const auto& [link, uses] : shifted) EXPECT_EQ(uses, 12) << fabric->describe(link);
  EXPECT_EQ(scattered.size(), 6u) << "the rows of the target";
}

TEST(Dragonfly, Descriptions) {
  const auto fabric = make_dragonfly(dragonfly(3, 2, 4, 2));
  EXPECT_EQ(fabric->describe(route(*fabric, 8, 14)[0]), "row link from router (1,0,0) to (1,0,2)");
  EXPECT_EQ(fabric->describe(route(*fabric, 8, 14)[1]), "column link from router (1,0,2) to (1,1,2)");
  // From router 1 of group 0 to group 1: link 1, in slot 2 of 4, which belongs to router 2 * 8 / 4. In group 1 it is
  // slot 3.
  EXPECT_EQ(fabric->describe(route(*fabric, 1, 8)[2]), "global link 1 from router (0,1,0) to (1,1,2)");
  EXPECT_EQ(describe(dragonfly(3, 2, 4, 2)), "dragonfly of 3 groups of 2 x 4 routers, 2 links between any two groups");
  std::set<std::string> names;
  for (int l = 0; l < fabric->num_links(); ++l) names.insert(fabric->describe(l));
  EXPECT_EQ(static_cast<int>(names.size()), fabric->num_links());
}

TEST(Dragonfly, RefusesShapesThatAreNone) {
  EXPECT_THROW(make_dragonfly(dragonfly(0, 1, 1, 1)), std::invalid_argument);
  EXPECT_THROW(make_dragonfly(dragonfly(2, 1, 1, 0)), std::invalid_argument);
}

// --- spreading -------------------------------------------------------------------------------------------------------

using Ways = std::vector<std::vector<int>>;  // the links of each, in order

// All shortest routes, one by one.
Ways shortest_ways(const Fabric& fabric, const Graph& graph, int a, int b, const std::vector<bool>& open) {
  std::vector<int> to_b(graph.size(), -1);  // links lead both ways, so distances from b are also those to b
  to_b = distances(fabric, graph, b, [&](int l) { return open[l]; });
  Ways all;
  std::vector<int> way;
  const auto walk = [&](const auto& self, int at) -> void {
    if (at == b) return all.push_back(way);
    for (const int l : graph[at]) {
      if (!open[l] || to_b[fabric.ends(l).to] != to_b[at] - 1) continue;
      way.push_back(l);
      self(self, fabric.ends(l).to);
      way.pop_back();
    }
  };
  walk(walk, a);
  return all;
}

void add_ways(const Ways& ways, double whole, std::map<int, double>& parts) {
  for (const auto& way : ways) {
    for (const int l : way) parts[l] += whole / static_cast<double>(ways.size());
  }
}

// Expects `spread` to report exactly the links of `expected`, with these parts.
void expect_parts(const Fabric& fabric, int a, int b, const std::map<int, double>& expected) {
  std::vector<Fabric::Part> parts = {{-7, 3}};  // existing parts stay
  fabric.spread(a, b, parts);
  ASSERT_EQ(parts[0].link, -7);
  ASSERT_EQ(parts[0].part, 3);
  ASSERT_EQ(parts.size() - 1, expected.size()) << a << " to " << b;
  std::set<int> seen;
  std::map<int, double> balance;  // by router: what leaves minus what enters
  double total = 0;
  for (size_t i = 1; i < parts.size(); ++i) {
    const auto [link, part] = parts[i];
    ASSERT_TRUE(seen.insert(link).second) << fabric.describe(link) << " twice";
    ASSERT_TRUE(expected.contains(link)) << fabric.describe(link);
    ASSERT_NEAR(part, expected.at(link), 1e-12) << a << " to " << b << ": " << fabric.describe(link);
    balance[fabric.ends(link).from] += part;
    balance[fabric.ends(link).to] -= part;
    total += part;
  }
  for (const auto& [router, left] : balance) {
    ASSERT_NEAR(left, router == a ? 1 : router == b ? -1 : 0, 1e-12) << "router " << router;
  }
  double links = 0;
  for (const auto& [link, part] : expected) links += part;
  ASSERT_NEAR(total, links, 1e-12);
}

void expect_even_over_shortest(const Fabric& fabric, const std::vector<std::pair<int, int>>& pairs) {
  const Graph graph = graph_of(fabric);
  const std::vector<bool> open(fabric.num_links(), true);
  for (const auto& [a, b] : pairs) {
    std::map<int, double> expected;
    add_ways(shortest_ways(fabric, graph, a, b, open), 1, expected);
    expect_parts(fabric, a, b, expected);
  }
}

std::vector<std::pair<int, int>> all_pairs(int routers, int step = 1) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < routers * routers; i += step) pairs.emplace_back(i / routers, i % routers);
  return pairs;
}

TEST(Spread, OnATorusIsEvenOverAllShortestWays) {
  for (const TorusShape& shape : small_tori()) {
    SCOPED_TRACE(describe(shape));
    const auto fabric = make_torus(shape);
    // Only every 17th pair of large tori: 17 shares no factor with the number of routers.
    expect_even_over_shortest(*fabric, all_pairs(fabric->num_routers(), fabric->num_routers() > 100 ? 17 : 1));
  }
}

// From (0,0) to (1,1) each corner gets a half. To (2,1) there are three routes, two of which begin along x.
TEST(Spread, OnATorusByHand) {
  const auto fabric = make_torus(torus({7, 7}));
  const auto part = [&](int b, const std::string& link) {
    std::vector<Fabric::Part> parts;
    fabric->spread(0, b, parts);
    for (const auto& [l, p] : parts) {
      if (fabric->describe(l) == link) return p;
    }
    return 0.0;
  };
  EXPECT_DOUBLE_EQ(part(8, "x+ link of router (0,0)"), 0.5);
  EXPECT_DOUBLE_EQ(part(8, "x+ link of router (0,1)"), 0.5);
  EXPECT_DOUBLE_EQ(part(15, "x+ link of router (0,0)"), 2 / 3.0);
  EXPECT_DOUBLE_EQ(part(15, "y+ link of router (1,0)"), 1 / 3.0);
  EXPECT_DOUBLE_EQ(part(15, "x+ link of router (1,1)"), 2 / 3.0);
  EXPECT_DOUBLE_EQ(part(15, "y+ link of router (0,1)"), 0) << "no way leads there";
  EXPECT_DOUBLE_EQ(part(48, "x- link of router (0,0)"), 0.5);
}

// All-to-all traffic loads all links of a dimension equally; in total as much as with minimal routing.
TEST(Spread, UniformTrafficLoadsTheLinksOfADimensionAlike) {
  for (const TorusShape& shape : {torus({4, 4, 4}), torus({8, 6, 2}), torus({6}), torus({5, 7})}) {
    const auto fabric = make_torus(shape);
    std::vector<double> load(fabric->num_links(), 0);
    std::vector<Fabric::Part> parts;
    for (const auto& [a, b] : all_pairs(fabric->num_routers())) {
      parts.clear();
      fabric->spread(a, b, parts);
      for (const auto& [link, part] : parts) load[link] += part;
    }
    const std::vector<long> minimal = loads(*fabric);
    for (int d = 0; d < static_cast<int>(shape.dims.size()); ++d) {
      double least = 1e9, most = 0, sum = 0;
      long expected = 0;
      for (int l = 0; l < fabric->num_links(); ++l) {
        if (fabric->kind(l) != d) continue;
        least = std::min(least, load[l]);
        most = std::max(most, load[l]);
        sum += load[l];
        expected += minimal[l];
      }
      EXPECT_NEAR(least, most, 1e-9) << describe(shape);
      EXPECT_NEAR(sum, static_cast<double>(expected), 1e-7) << describe(shape);
    }
  }
}

// Every link between the two groups carries the same part. Within the groups the parts use all shortest routes to and
// from these links.
TEST(Spread, OnADragonflyIsEvenOverTheLinksBetweenTwoGroups) {
  for (const DragonflyShape& s : small_dragonflies()) {
    SCOPED_TRACE(describe(s));
    const auto fabric = make_dragonfly(s);
    const Graph graph = graph_of(*fabric);
    const int per_group = s.rows * s.columns;
    std::vector<bool> local(fabric->num_links());
    for (int l = 0; l < fabric->num_links(); ++l) local[l] = fabric->kinds()[fabric->kind(l)] != "global";
    for (const auto& [a, b] : all_pairs(fabric->num_routers())) {
      std::map<int, double> expected;
      if (a / per_group == b / per_group) {
        add_ways(shortest_ways(*fabric, graph, a, b, local), 1, expected);
      } else {
        for (int l = 0; l < fabric->num_links(); ++l) {
          const auto [from, to] = fabric->ends(l);
          if (local[l] || from / per_group != a / per_group || to / per_group != b / per_group) continue;
          const double part = 1.0 / s.global_links;
          add_ways(shortest_ways(*fabric, graph, a, from, local), part, expected);
          add_ways({{l}}, part, expected);
          add_ways(shortest_ways(*fabric, graph, to, b, local), part, expected);
        }
      }
      expect_parts(*fabric, a, b, expected);
    }
  }
}

// As large as Blue Waters' torus. The target is 12 links away along each dimension, so both directions around a ring
// are equally short.
TEST(Spread, IsExactOnALargeTorus) {
  const auto fabric = make_torus(torus({24, 24, 24}));
  std::vector<Fabric::Part> parts;
  fabric->spread(0, (12 * 24 + 12) * 24 + 12, parts);
  double sum = 0, out = 0;
  for (const auto& [link, part] : parts) {
    sum += part;
    if (fabric->ends(link).from == 0) out += part;
    ASSERT_GT(part, 0);
  }
  EXPECT_NEAR(sum, 36, 1e-9);
  EXPECT_NEAR(out, 1, 1e-12);
  EXPECT_EQ(parts.size(), 3u * 24 * 24 * 24) << "of every ring both ways round, 12 links each";
}

// --- fat trees -------------------------------------------------------------------------------------------------------

FatTreeShape fat_tree(std::vector<int> down, std::vector<int> up, std::vector<int> cables = {}) {
  if (cables.empty()) cables.assign(up.size(), 1);
  std::vector<std::string> levels;
  for (size_t l = 0; l < up.size(); ++l) levels.push_back("Level " + std::to_string(l + 1));
  const int nodes = down.front();
  return {.down = std::move(down),
          .up = std::move(up),
          .cables = std::move(cables),
          .nodes_per_router = nodes,
          .levels = levels};
}

// Trees whose switches have as many links up as down, on which shifts do not block with D-mod-k routing.
std::vector<FatTreeShape> full_fat_trees() {
  return {fat_tree({4}, {}),
          fat_tree({1, 3}, {1}),
          fat_tree({4, 3}, {4}),
          fat_tree({4, 3}, {2}, {2}),
          fat_tree({6, 5}, {3}, {2}),
          fat_tree({24, 18}, {12}, {2}),
          fat_tree({2, 2, 2}, {2, 2}),
          fat_tree({4, 4, 4}, {4, 4}),
          fat_tree({4, 2, 6}, {2, 2}, {2, 2}),
          fat_tree({6, 3, 2}, {3, 2}, {2, 3}),
          fat_tree({2, 2, 2, 3}, {2, 2, 2})};
}

std::vector<FatTreeShape> small_fat_trees() {
  std::vector<FatTreeShape> shapes = full_fat_trees();
  for (const FatTreeShape& s : {fat_tree({4, 3}, {2}), fat_tree({3, 4}, {5}), fat_tree({4, 1, 3}, {2, 3}),
                                fat_tree({3, 2, 4}, {2, 5}, {3, 1}), fat_tree({1, 4, 2}, {1, 1})}) {
    shapes.push_back(s);
  }
  return shapes;
}

int leaves_of(const FatTreeShape& s) {
  return std::accumulate(s.down.begin() + 1, s.down.end(), 1, std::multiplies<>());
}

// By the definition of extended generalized fat trees, a switch of level l is (a_h ... a_{l+1}; b_l ... b_2). Switches
// of adjacent levels are connected if they agree in all digits that both have.
struct Switch {
  int level = 1;
  std::vector<int> a, b;  // a: from level 2 (number of the leaf switch in a subtree of level 2), b: from level 2
  friend auto operator<=>(const Switch&, const Switch&) = default;
};

Switch switch_of(const FatTreeShape& s, int router) {
  const int levels = static_cast<int>(s.down.size());
  int first = 0;
  for (int level = 1;; ++level) {
    int trees = 1, width = 1;
    for (int l = level; l < levels; ++l) trees *= s.down[l];
    for (int l = 1; l < level; ++l) width *= s.up[l - 1];
    if (router >= first + trees * width) {
      first += trees * width;
      continue;
    }
    Switch found{.level = level, .a = std::vector<int>(levels, -1), .b = std::vector<int>(levels, -1)};
    int tree = (router - first) / width, number = (router - first) % width;
    for (int l = level; l < levels; tree /= s.down[l++]) found.a[l] = tree % s.down[l];
    for (int l = 1; l < level; number /= s.up[l++ - 1]) found.b[l] = number % s.up[l - 1];
    return found;
  }
}

TEST(FatTree, Links) {
  for (const FatTreeShape& s : small_fat_trees()) {
    SCOPED_TRACE(describe(s));
    const auto fabric = make_fat_tree(s);
    std::map<std::pair<int, int>, int> joined, expected;
    for (int l = 0; l < fabric->num_links(); ++l) {
      const auto [from, to] = fabric->ends(l);
      ++joined[{from, to}];
      EXPECT_EQ(fabric->kind(l), std::min(switch_of(s, from).level, switch_of(s, to).level) - 1);
    }
    for (int low = 0; low < fabric->num_routers(); ++low) {
      for (int high = 0; high < fabric->num_routers(); ++high) {
        const Switch x = switch_of(s, low), y = switch_of(s, high);
        if (y.level != x.level + 1) continue;
        bool agree = true;
        for (size_t l = 0; l < s.down.size(); ++l) {
          if (x.a[l] >= 0 && y.a[l] >= 0 && x.a[l] != y.a[l]) agree = false;
          if (x.b[l] >= 0 && y.b[l] >= 0 && x.b[l] != y.b[l]) agree = false;
        }
        if (!agree) continue;
        expected[{low, high}] = expected[{high, low}] = s.cables[x.level - 1];
      }
    }
    EXPECT_EQ(joined, expected);
  }
}

// From every leaf switch to every node: a route is as short as a search finds, goes up and then down, and all messages
// to a node come down the same way.
TEST(FatTree, RoutesAreShortestAndComeDownOneWay) {
  for (const FatTreeShape& s : small_fat_trees()) {
    SCOPED_TRACE(describe(s));
    const auto fabric = make_fat_tree(s);
    const Graph graph = graph_of(*fabric);
    std::map<int, std::map<int, std::pair<int, int>>> down_to;  // by node, then switch: the link and its start
    const auto level = [&](int router) { return switch_of(s, router).level; };
    for (int a = 0; a < leaves_of(s); ++a) {
      const std::vector<int> least = distances(*fabric, graph, a, [](int) { return true; });
      for (int target = 0; target < leaves_of(s) * s.down[0]; ++target) {
        const int b = target / s.down[0];
        const std::vector<int> links = route(*fabric, a, b, target % s.down[0]);
        expect_chain(*fabric, a, b, links);
        ASSERT_EQ(static_cast<int>(links.size()), least[b]);
        for (size_t i = 0; i < links.size(); ++i) {
          const auto [from, to] = fabric->ends(links[i]);
          ASSERT_EQ(level(to) - level(from), i < links.size() / 2 ? 1 : -1);
          if (i < links.size() / 2) continue;
          const auto [at, first] = down_to[target].try_emplace(level(from), std::pair(links[i], from));
          ASSERT_EQ(at->second, std::pair(links[i], from)) << "another way down to node " << target;
        }
      }
    }
  }
}

// The purpose of D-mod-k: if every node i sends to node i + shift, no link has two messages, for any shift.
TEST(FatTree, ShiftsDoNotBlockOnAFullTree) {
  for (const FatTreeShape& s : full_fat_trees()) {
    SCOPED_TRACE(describe(s));
    const auto fabric = make_fat_tree(s);
    const int nodes = leaves_of(s) * s.down[0];
    for (int shift = 1; shift < nodes; ++shift) {
      std::vector<int> messages(fabric->num_links(), 0);
      for (int from = 0; from < nodes; ++from) {
        const int to = (from + shift) % nodes;
        for (const int l : route(*fabric, from / s.down[0], to / s.down[0], to % s.down[0])) {
          ASSERT_EQ(++messages[l], 1) << "shift " << shift << ": " << fabric->describe(l);
        }
      }
    }
  }
}

// With half as many links up, at most two messages share a link.
TEST(FatTree, ShiftsShareAsTheTreeIsNarrower) {
  const FatTreeShape s = fat_tree({8, 4}, {4});
  const auto fabric = make_fat_tree(s);
  int most = 0;
  for (int shift = 1; shift < 32; ++shift) {
    std::vector<int> messages(fabric->num_links(), 0);
    for (int from = 0; from < 32; ++from) {
      const int to = (from + shift) % 32;
      for (const int l : route(*fabric, from / 8, to / 8, to % 8)) most = std::max(most, ++messages[l]);
    }
  }
  EXPECT_EQ(most, 2);
}

TEST(FatTree, SpreadIsEvenOverAllShortestWays) {
  for (const FatTreeShape& s : small_fat_trees()) {
    SCOPED_TRACE(describe(s));
    if (s.down.front() == 24) continue;  // 324 pairs with 24 routes each; smaller trees of two levels cover the case
    expect_even_over_shortest(*make_fat_tree(s), [&] {
      std::vector<std::pair<int, int>> pairs;
      for (const auto& [a, b] : all_pairs(leaves_of(s))) pairs.emplace_back(a, b);
      return pairs;
    }());
  }
}

TEST(FatTree, Descriptions) {
  const FatTreeShape s = fat_tree({24, 18}, {12}, {2});
  const auto fabric = make_fat_tree(s);
  EXPECT_EQ(fabric->num_routers(), 30);
  EXPECT_EQ(fabric->num_links(), 2 * 18 * 24);
  EXPECT_EQ(describe(s), "fat tree of 18 leaf switches with 24 nodes each, 12 switches at the top");
  // To node 41: via switch 41 mod 12 at the top, over cable floor(41 / 12) mod 2.
  const std::vector<int> links = route(*fabric, 0, 1, 17);
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(fabric->describe(links[0]), "up link 1 from switch (1,0) to (2,5)");
  EXPECT_EQ(fabric->describe(links[1]), "down link 1 from switch (2,5) to (1,1)");
  for (const FatTreeShape& shape : small_fat_trees()) {
    const auto tree = make_fat_tree(shape);
    std::set<std::string> names;
    for (int l = 0; l < tree->num_links(); ++l) names.insert(tree->describe(l));
    EXPECT_EQ(static_cast<int>(names.size()), tree->num_links());
  }
}

TEST(FatTree, RefusesShapesThatAreNone) {
  EXPECT_THROW(make_fat_tree({.down = {}, .up = {}, .cables = {}}), std::invalid_argument);
  EXPECT_THROW(make_fat_tree(fat_tree({4, 0}, {2})), std::invalid_argument);
  EXPECT_THROW(make_fat_tree(fat_tree({4, 2}, {2, 2})), std::invalid_argument);
  EXPECT_THROW(make_fat_tree(fat_tree({4, 2}, {2}, {0})), std::invalid_argument);
  FatTreeShape s = fat_tree({4, 2}, {2});
  s.nodes_per_router = 3;
  EXPECT_THROW(make_fat_tree(s), std::invalid_argument);
}

// --- the tree of the nodes ------------------------------------------------------------------------------------------

// "Cluster of 24 x Gemini of 2 nodes". All groups of a level are the same, so only the first one is written.
std::string text(const NetworkGroup& g) {
  std::string out = g.level.empty() ? "Cluster" : g.level;
  if (!g.groups.empty()) out += " of " + std::to_string(g.groups.size()) + " x " + text(g.groups.front());
  if (g.nodes > 0) out += " of " + std::to_string(g.nodes) + " nodes";
  return out;
}

TEST(Trees, HaveTheLevelsThatAreSome) {
  TorusShape t = torus({3, 2, 4});
  EXPECT_EQ(text(tree_of(t)), "Cluster of 24 nodes");
  t.nodes_per_router = 2;
  t.router = "Gemini";
  EXPECT_EQ(text(tree_of(t)), "Cluster of 24 x Gemini of 2 nodes");
  DragonflyShape d = dragonfly(2, 6, 16, 1);
  EXPECT_EQ(text(tree_of(d)), "Cluster of 2 x Group of 6 x Chassis of 16 nodes");
  d.nodes_per_router = 4;
  EXPECT_EQ(text(tree_of(d)), "Cluster of 2 x Group of 6 x Chassis of 16 x Router of 4 nodes");
  d.groups = 1;
  EXPECT_EQ(text(tree_of(d)), "Cluster of 1 x Group of 6 x Chassis of 16 x Router of 4 nodes");
  d.columns = 1;
  EXPECT_EQ(text(tree_of(d)), "Cluster of 1 x Group of 6 x Router of 4 nodes");
  d.rows = 1;
  EXPECT_EQ(text(tree_of(d)), "Cluster of 1 x Router of 4 nodes");
  d.nodes_per_router = 1;
  EXPECT_EQ(text(tree_of(d)), "Cluster of 1 nodes");
  EXPECT_EQ(text(tree_of(dragonfly(3, 1, 1, 1))), "Cluster of 3 nodes");
  EXPECT_EQ(text(tree_of(fat_tree({24, 18}, {12}))), "Cluster of 18 x Level 1 of 24 nodes");
  EXPECT_EQ(text(tree_of(fat_tree({4, 3, 2}, {1, 1}))), "Cluster of 2 x Level 2 of 3 x Level 1 of 4 nodes");
  EXPECT_EQ(text(tree_of(fat_tree({4, 1, 2}, {1, 1}))), "Cluster of 2 x Level 2 of 4 nodes");
  EXPECT_EQ(text(tree_of(fat_tree({1, 3, 2}, {1, 1}))), "Cluster of 2 x Level 2 of 3 nodes");
  EXPECT_EQ(text(tree_of(fat_tree({5, 1}, {1}))), "Cluster of 5 nodes");
}

}  // namespace
}  // namespace strata
