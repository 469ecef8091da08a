// SPDX-License-Identifier: LGPL-2.1-only
// Compares the routes of messages with the topology.
#include "flow/route_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platforms/fabric.h"
#include "platforms/machine.h"
#include "tests/command/strata_process.h"
#include "tests/platforms/fabric_machines.h"

namespace strata::flow {
namespace {

std::vector<Machine> fabric_machines() {
  const TemporaryFolder folder;
  std::vector<Machine> result;
  folder.write("fabric.txt", kSwitchesFile);
  for (const std::string& yaml : {kTorusYaml, kDragonflyYaml, kFatTreeYaml, kSwitchesYaml}) {
    result.push_back(load_machine(folder.write("machine.yaml", yaml)));
  }
  return result;
}

std::vector<Machine> machines() {
  std::vector<Machine> result;
  for (const char* line : {"core:1", "core:7", "pack:2 core:3", "node:3 core:1", "node:1 pack:1 l3:1 core:2 pu:2",
                           "switch:2 node:3 pack:2 l3:2 core:2", "pod:2 switch:3 node:2 l2:3 core:2 pu:2"}) {
    result.push_back(machine_from_tree(line));
  }
  for (const char* name : {"32smt-2p4n16c2t", "32knl-2n8c4t", "8nocore-2p2n", "16groups-2g2g2p2c", "4nested-2p3n",
                           "5asymmetric-2p2n5c", "4memory-2p3n", "4disallowed-2p2n"}) {
    result.push_back(machine_from_xml(built(std::string("tests/platforms/data/") + name + ".xml"), 2));
  }
  result.push_back(load_machine(built("platforms/data/ntw10e5/machine.yaml")));
  for (Machine& machine : fabric_machines()) result.push_back(std::move(machine));
  return result;
}

// All pairs of cores: the two paths meet at the vertex that is their lowest common ancestor in the topology.
TEST(RouteTree, MeetIsTheLowestCommonAncestor) {
  long pairs = 0;
  for (const Machine& machine : machines()) {
    const RouteTree tree(machine);
    const auto cores = machine.topology->cores();
    ASSERT_EQ(tree.num_cores(), static_cast<int>(cores.size()));
    for (int a = 0; a < tree.num_cores(); ++a) {
      for (int b = 0; b < tree.num_cores(); ++b) {
        if (a == b) continue;
        ++pairs;
        const RouteTree::Stop& stop = tree.stops()[tree.meet(a, b)];
        ASSERT_EQ(stop.vertex, machine.topology->lowest_common_ancestor(cores[a], cores[b])) << machine.name;
        ASSERT_EQ(stop.costs, machine.costs_at(stop.vertex)) << machine.name;
      }
    }
  }
  EXPECT_EQ(pairs, 0 + 7 * 6 + 6 * 5 + 3 * 2 + 2 * 1 + 48 * 47 + 72 * 71 + 32 * 31 + 16 * 15 + 16 * 15 + 32 * 31 +
                       8 * 7 + 10 * 9 + 8 * 7 + 6 * 5 + 240 * 239 + 192 * 191 + 96 * 95 + 48 * 47 + 24 * 23);
}

// Stops are the cores, and the vertices with cores below at least two children. A chain of vertices with a single child
// disappears, and a stop's link has the bandwidth of the next stop above.
TEST(RouteTree, ChainsAreContracted) {
  for (const Machine& machine : machines()) {
    const Topology& t = *machine.topology;
    const RouteTree tree(machine);
    std::map<int, int> stop_of;
    for (size_t s = 0; s < tree.stops().size(); ++s) stop_of[tree.stops()[s].vertex] = static_cast<int>(s);
    ASSERT_EQ(stop_of.size(), tree.stops().size()) << "a vertex is a stop once";
    int tops = 0;
    for (int v = 0; v < t.num_vertices(); ++v) {
      int branches = 0;
      for (int c : t.children(v)) branches += t.num_cores(c) > 0 ? 1 : 0;
      const bool core = t.object(v) != nullptr && t.object(v)->is_core;
      ASSERT_EQ(stop_of.count(v), core || branches >= 2 ? 1u : 0u) << machine.name << " vertex " << v;
      if (stop_of.count(v) == 0) continue;
      const RouteTree::Stop& stop = tree.stops()[stop_of[v]];
      ASSERT_EQ(stop.costs == nullptr, core);
      int above = t.parent(v), depth = 0;
      while (above >= 0 && stop_of.count(above) == 0) above = t.parent(above);
      for (int u = stop.up; u >= 0; u = tree.stops()[u].up) ++depth;
      ASSERT_EQ(stop.depth, depth);
      if (above < 0) {
        ++tops;
        ASSERT_EQ(stop.up, -1);
        ASSERT_EQ(stop.link_bandwidth, 0);
      } else {
        ASSERT_EQ(stop.up, stop_of[above]);
        // A stop above the routers of a fabric has no link.
        const bool there = !machine.fabric || t.type(v) != ObjectType::kNetwork;
        ASSERT_EQ(stop.link_bandwidth, there ? machine.costs_at(above)->link_bandwidth.si : 0);
      }
    }
    ASSERT_EQ(tops, 1);
  }
}

// NTW10E5, worked out by hand: 240 cores, 40 NUMA nodes, 20 packages, 10 nodes and the network.
TEST(RouteTree, Ntw10e5) {
  const Machine machine = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  const RouteTree tree(machine);
  EXPECT_EQ(tree.stops().size(), 240u + 40 + 20 + 10 + 1);
  const auto level = [&](int a, int b) { return tree.stops()[tree.meet(a, b)].costs->level; };
  EXPECT_EQ(level(0, 5), "NUMANode");
  EXPECT_EQ(level(0, 6), "Package");
  EXPECT_EQ(level(0, 12), "Machine");
  EXPECT_EQ(level(0, 24), "System - Cluster");
  EXPECT_EQ(level(23, 24), "System - Cluster");
  EXPECT_EQ(tree.stops()[0].depth, 4);
  EXPECT_DOUBLE_EQ(tree.stops()[tree.meet(0, 12)].link_bandwidth, 3.2918e9) << "a node's port, B/s";
}

// Every pair of cores sends one message. For a stop with c of the n cores, c (n - c) messages must go up its link, from
// its cores to all others, and as many must come down.
TEST(RouteTree, Conservation) {
  for (const Machine& machine : machines()) {
    const RouteTree tree(machine);
    const auto& stops = tree.stops();
    const long n = tree.num_cores();
    std::vector<long> up(stops.size(), 0), down(stops.size(), 0), below(stops.size(), 0);
    for (int core = 0; core < n; ++core) {
      for (int s = core; s >= 0; s = stops[s].up) ++below[s];
    }
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        if (a == b) continue;
        const int meet = tree.meet(a, b);
        for (int s = a; s != meet; s = stops[s].up) ++up[s];
        for (int s = b; s != meet; s = stops[s].up) ++down[s];
      }
    }
    for (size_t s = 0; s < stops.size(); ++s) {
      const long expected = stops[s].up < 0 ? 0 : below[s] * (n - below[s]);
      ASSERT_EQ(up[s], expected) << machine.name;
      ASSERT_EQ(down[s], expected) << machine.name;
    }
  }
}

// All pairs of cores: a route goes up to the node, from router to router, down from the other node, and uses no link
// twice.
TEST(RouteTree, WaysOverAFabric) {
  for (const Machine& machine : fabric_machines()) {
    const RouteTree tree(machine);
    const auto& stops = tree.stops();
    const Fabric& fabric = *machine.fabric->fabric;
    std::vector<int> links;
    for (int a = 0; a < tree.num_cores(); ++a) {
      for (int b = 0; b < tree.num_cores(); ++b) {
        if (a == b) continue;
        links.clear();
        const RouteTree::Way way = tree.find_way(a, b, links);
        ASSERT_EQ(way.meet, tree.meet(a, b));
        // A node has four cores.
        const bool same_node = a / 4 == b / 4;
        ASSERT_EQ(links.size(), (same_node ? 2u : 4u) + way.hops);
        std::vector<int> up = {RouteTree::up_link(a)}, down = {RouteTree::down_link(b)};
        if (!same_node) {
          up.push_back(RouteTree::up_link(stops[a].up));
          down.insert(down.begin(), RouteTree::down_link(stops[b].up));
          ASSERT_EQ(tree.link_bandwidth(up.back()), machine.fabric->injection.si);
          ASSERT_EQ(tree.link_bandwidth(down.front()), machine.fabric->injection.si);
        }
        ASSERT_EQ(std::vector(links.begin(), links.begin() + up.size()), up);
        ASSERT_EQ(std::vector(links.end() - down.size(), links.end()), down);
        int router = machine.fabric->router_of(a / 4);
        for (size_t i = up.size(); i < links.size() - down.size(); ++i) {
          const int l = links[i] - tree.first_fabric_link();
          ASSERT_EQ(fabric.ends(l).from, router);
          router = fabric.ends(l).to;
          ASSERT_EQ(tree.link_bandwidth(links[i]), machine.fabric->bandwidth(l));
        }
        ASSERT_EQ(router, machine.fabric->router_of(b / 4));
      }
    }
  }
}

// Messages spread over several routes: up to the node and down from the node as before, and between them the parts that
// the fabric reports. A message via another router uses the routes to that router and those from there.
TEST(RouteTree, SeveralWaysOverAFabric) {
  for (Machine machine : fabric_machines()) {
    machine.fabric->routing = Routing::kSpread;
    const auto router = [&](int core) { return machine.fabric->router_of(core / 4); };
    const bool any_via = !std::holds_alternative<SwitchesShape>(machine.fabric->shape);  // no adaptive routing there
    const RouteTree tree(machine);
    const Fabric& fabric = *machine.fabric->fabric;
    const auto spread = [&](int a, int b) {
      std::map<int, double> parts;
      std::vector<Fabric::Part> all;
      fabric.spread(a, b, all);
      for (const auto& [link, part] : all) parts[tree.first_fabric_link() + link] += part;
      return parts;
    };
    for (int a = 0; a < tree.num_cores(); a += 3) {
      for (int b = 0; b < tree.num_cores(); b += 5) {
        if (a == b) continue;
        std::vector<int> links;
        tree.find_way(a, b, links);
        for (const int via : {-1, 5}) {
          if (via >= 0 && !any_via) continue;
          std::map<int, double> expected = spread(router(a), via < 0 ? router(b) : via);
          if (via >= 0) {
            for (const auto& [link, part] : spread(via, router(b))) expected[link] += part;
          }
          double hops = 0;
          for (const auto& [link, part] : expected) hops += part;
          for (const int l : links) {
            if (l < tree.first_fabric_link()) expected[l] = 1;
          }
          std::vector<FairShares::Use> uses;
          const RouteTree::Way way = tree.find_uses(a, b, via, 0, uses);
          ASSERT_EQ(way.meet, tree.meet(a, b));
          ASSERT_NEAR(way.hops, hops, 1e-12);
          ASSERT_EQ(uses.size(), expected.size());
          for (const auto& [link, part] : uses) ASSERT_NEAR(part, expected.at(link), 1e-12);
        }
      }
    }
  }
}

// On a tree, a route goes up from one core and down to the other.
TEST(RouteTree, WaysOverATree) {
  const Machine machine = machine_from_tree("switch:2 node:3 pack:2 l3:2 core:2");
  const RouteTree tree(machine);
  const auto& stops = tree.stops();
  std::vector<int> links;
  for (int a = 0; a < tree.num_cores(); ++a) {
    for (int b = 0; b < tree.num_cores(); ++b) {
      if (a == b) continue;
      links.clear();
      const RouteTree::Way way = tree.find_way(a, b, links);
      std::vector<int> expected, down;
      for (int s = a; s != way.meet; s = stops[s].up) expected.push_back(RouteTree::up_link(s));
      for (int s = b; s != way.meet; s = stops[s].up) down.push_back(RouteTree::down_link(s));
      expected.insert(expected.end(), down.rbegin(), down.rend());
      ASSERT_EQ(links, expected);
      ASSERT_EQ(way.hops, 0);
    }
  }
}

}  // namespace
}  // namespace strata::flow
