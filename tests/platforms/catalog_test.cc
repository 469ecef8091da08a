// SPDX-License-Identifier: LGPL-2.1-only
// The catalog's machines compared with the papers (RR-9077, Table 1; IJHPCA'19, Section 7; EuroMPI'18, Section 3):
// number of objects of each kind, sizes of caches, the levels at which cores meet, and the figures of these levels.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "platforms/fabric.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "platforms/segments.h"

namespace strata {
namespace {

Machine catalog_machine(const std::string& name) { return find_machine(name, "platforms/data"); }

struct Objects {
  std::map<std::string, int> count;         // by name
  std::map<std::string, std::string> size;  // of caches, by name
};

Objects objects_of(const Topology& t) {
  Objects o;
  for (int v = 0; v < t.num_vertices(); ++v) {
    ++o.count[t.name(v)];
    if (t.object(v) != nullptr) o.size[t.name(v)] = t.object(v)->note;
  }
  return o;
}

// The costs between cores a and b, counted from 0.
const LevelCosts& costs_between(const Machine& m, int a, int b) {
  const Topology& t = *m.topology;
  return *m.costs_at(t.lowest_common_ancestor(t.cores()[a], t.cores()[b]));
}

using Count = std::map<std::string, int>;

TEST(Ntw10e5, HasTheObjectsOfTable1) {
  const Machine m = catalog_machine("ntw10e5");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 10);
  EXPECT_EQ(t.cores().size(), 240u);
  const Objects o = objects_of(t);
  EXPECT_EQ(o.count, (Count{{"System - Cluster", 1},
                            {"Machine", 10},
                            {"Package", 20},
                            {"L3", 40},
                            {"NUMANode", 40},
                            {"L2", 240},
                            {"L1d", 240},
                            {"Core", 240}}));
  EXPECT_EQ(o.size.at("L3"), "15MB");
  EXPECT_EQ(o.size.at("L2"), "256KB");
  EXPECT_EQ(o.size.at("L1d"), "32KB");
}

TEST(Ntw10e5, CoresMeetAtFourLevelsWithTheseFigures) {
  const Machine m = catalog_machine("ntw10e5");
  EXPECT_EQ(costs_between(m, 0, 5).level, "NUMANode");
  EXPECT_EQ(costs_between(m, 0, 6).level, "Package");
  EXPECT_EQ(costs_between(m, 0, 12).level, "Machine");
  EXPECT_EQ(costs_between(m, 0, 24).level, "System - Cluster");
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 5).latency.si, 0.52e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 6).latency.si, 0.62e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 12).latency.si, 0.72e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 24).latency.si, 1.62e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 24).bandwidth.si, 3.2918e9);
  EXPECT_DOUBLE_EQ(m.core_speed.si, 40e9);
  EXPECT_DOUBLE_EQ(m.eager_limit.si, 12288);
}

TEST(Smp12e5, HasTheObjectsOfTable1) {
  const Machine m = catalog_machine("smp12e5");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 1);
  EXPECT_EQ(t.cores().size(), 96u);
  const Objects o = objects_of(t);
  // 12 packages of 8 cores with hyper-threading, in 6 pairs.
  EXPECT_EQ(o.count, (Count{{"System - Cluster", 1},  // the root, even of a machine of one node
                            {"Machine", 1},
                            {"Group0", 6},
                            {"Package", 12},
                            {"NUMANode", 12},
                            {"L3", 12},
                            {"L2", 96},
                            {"L1d", 96},
                            {"Core", 96},
                            {"PU", 192}}));
  EXPECT_EQ(o.size.at("L3"), "20MB");
  EXPECT_EQ(o.size.at("L2"), "256KB");
  EXPECT_EQ(o.size.at("L1d"), "32KB");
}

// A blade is a Group. Each of the 6 gets a rank before any gets a second one.
TEST(Smp12e5, RanksAreDealtOverTheBladesAndBoundToThem) {
  const Machine m = catalog_machine("smp12e5");
  const Topology& t = *m.topology;
  const std::vector<Binding> ranks = place(t, 8, {.map_by = "group", .bind_to = "group"});
  std::vector<int> first_cores;
  for (const Binding& b : ranks) {
    EXPECT_EQ(b.cpuset.count(), 32) << "16 cores of two PUs";
    first_cores.push_back(t.first_core(b.core));
  }
  EXPECT_EQ(first_cores, (std::vector<int>{0, 16, 32, 48, 64, 80, 1, 17}));
  EXPECT_EQ(place(t, 96, {.map_by = "group"}).size(), 96u);
  EXPECT_THROW(place(*catalog_machine("ntw10e5").topology, 2, {.map_by = "group"}), InputError);
}

TEST(Smp12e5, CoresMeetAtThreeLevelsWithTheseFigures) {
  const Machine m = catalog_machine("smp12e5");
  EXPECT_EQ(costs_between(m, 0, 7).level, "L3");
  EXPECT_EQ(costs_between(m, 0, 8).level, "Group0");
  EXPECT_EQ(costs_between(m, 8, 16).level, "Machine");
  EXPECT_EQ(costs_between(m, 0, 95).level, "Machine");
  EXPECT_EQ(m.levels.size(), 3u);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 7).latency.si, 0.44e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 8).latency.si, 1.5e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 16).latency.si, 2.1e-6);
  EXPECT_DOUBLE_EQ(m.core_speed.si, 20.8e9);
  EXPECT_DOUBLE_EQ(m.eager_limit.si, 4096);
}

TEST(Smp20e7, HasTheObjectsOfTable1) {
  const Machine m = catalog_machine("smp20e7");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 1);
  EXPECT_EQ(t.cores().size(), 160u);
  const Objects o = objects_of(t);
  EXPECT_EQ(o.count, (Count{{"System - Cluster", 1},
                            {"Machine", 1},
                            {"Group0", 10},
                            {"Package", 20},
                            {"NUMANode", 20},
                            {"L3", 20},
                            {"L2", 160},
                            {"L1d", 160},
                            {"Core", 160}}));
  EXPECT_EQ(o.size.at("L3"), "24MB");
  EXPECT_EQ(o.size.at("L2"), "256KB") << "Table 1's 32K is a slip: an E7-8837 has 256K";
  EXPECT_EQ(o.size.at("L1d"), "32KB");
}

TEST(Smp20e7, CoresMeetAtThreeLevelsWithTheseFigures) {
  const Machine m = catalog_machine("smp20e7");
  EXPECT_EQ(costs_between(m, 0, 7).level, "L3");
  EXPECT_EQ(costs_between(m, 0, 8).level, "Group0");
  EXPECT_EQ(costs_between(m, 8, 16).level, "Machine");
  EXPECT_EQ(m.levels.size(), 3u);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 7).latency.si, 0.5e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 8).latency.si, 0.7e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 16).latency.si, 2.15e-6);
  EXPECT_DOUBLE_EQ(m.core_speed.si, 10.64e9);
}

TEST(Ntw24e5, HasTheSwitchesOfSection74AndTheNodesOfNtw10e5) {
  const Machine m = catalog_machine("ntw24e5");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 24);
  EXPECT_EQ(t.cores().size(), 576u);
  EXPECT_EQ(objects_of(t).count, (Count{{"System - Cluster", 1},
                                        {"Switch", 4},
                                        {"Machine", 24},
                                        {"Package", 48},
                                        {"L3", 96},
                                        {"NUMANode", 96},
                                        {"L2", 576},
                                        {"L1d", 576},
                                        {"Core", 576}}));
  std::vector<int> nodes;
  for (int v : t.children(0)) nodes.push_back(t.num_cores(v) / 24);
  EXPECT_EQ(nodes, (std::vector<int>{12, 6, 4, 2}));
}

TEST(Ntw24e5, CostsWithinASwitchAreThoseOfNtw10e5) {
  const Machine small = catalog_machine("ntw10e5");
  const Machine m = catalog_machine("ntw24e5");
  EXPECT_EQ(m.levels.size(), 5u);
  EXPECT_EQ(costs_between(m, 0, 24).level, "Switch");
  EXPECT_EQ(costs_between(m, 0, 12 * 24).level, "System - Cluster");
  for (const int other : {5, 6, 12, 24}) {
    const LevelCosts& a = costs_between(small, 0, other);
    const LevelCosts& b = costs_between(m, 0, other);
    EXPECT_EQ(a.latency.si, b.latency.si) << b.level;
    EXPECT_EQ(a.overhead.si, b.overhead.si) << b.level;
    EXPECT_EQ(a.bandwidth.si, b.bandwidth.si) << b.level;
    EXPECT_EQ(a.link_bandwidth.si, b.link_bandwidth.si) << b.level;
  }
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 12 * 24).latency.si, 1.72e-6);
}

TEST(Ntw10e5CodOff, IsNtw10e5WithOneNumaNodeASocket) {
  const Machine m = catalog_machine("ntw10e5-cod-off");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 10);
  EXPECT_EQ(objects_of(t).count, (Count{{"System - Cluster", 1},
                                        {"Machine", 10},
                                        {"Package", 20},
                                        {"L3", 20},
                                        {"NUMANode", 20},
                                        {"L2", 240},
                                        {"L1d", 240},
                                        {"Core", 240}}));
  EXPECT_EQ(costs_between(m, 0, 11).level, "L3");
  EXPECT_EQ(costs_between(m, 0, 12).level, "Machine");
}

// PDSEC'20, Section VI; the nodes are those of ntw10e5.
TEST(PlafrimOpa, HasNodesOfTwentyFourCores) {
  const Machine m = catalog_machine("plafrim-opa"), other = catalog_machine("ntw10e5");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 16);
  EXPECT_EQ(t.cores().size(), 384u);
  EXPECT_EQ(objects_of(t).count, (Count{{"System - Cluster", 1},
                                        {"Machine", 16},
                                        {"Package", 32},
                                        {"L3", 64},
                                        {"NUMANode", 64},
                                        {"L2", 384},
                                        {"L1d", 384},
                                        {"Core", 384}}));
  for (const int core : {5, 6, 12}) {
    EXPECT_EQ(costs_between(m, 0, core).latency.si, costs_between(other, 0, core).latency.si);
    EXPECT_EQ(costs_between(m, 0, core).bandwidth.si, costs_between(other, 0, core).bandwidth.si);
    EXPECT_EQ(costs_between(m, 0, core).link_bandwidth.si, costs_between(other, 0, core).link_bandwidth.si);
  }
  EXPECT_EQ(costs_between(m, 0, 24).level, "System - Cluster");
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 24).latency.si, 1.31e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 24).bandwidth.si, 12.37e9);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 24).link_bandwidth.si, 12.5e9);
  EXPECT_DOUBLE_EQ(m.combine_bandwidth().si, 5.07e9);
  EXPECT_DOUBLE_EQ(m.eager_limit.si, 64000);
}

TEST(Knl7210, Has64CoresIn32Tiles) {
  const Machine m = catalog_machine("knl-7210");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 1);
  EXPECT_EQ(t.cores().size(), 64u);
  const Objects o = objects_of(t);
  EXPECT_EQ(o.count, (Count{{"System - Cluster", 1},
                            {"Machine", 1},
                            {"Package", 1},
                            {"NUMANode", 1},
                            {"L2", 32},
                            {"L1d", 64},
                            {"Core", 64}}));
  EXPECT_EQ(o.size.at("L2"), "1024KB");
  EXPECT_EQ(o.size.at("L1d"), "32KB");
  EXPECT_EQ(t.object(t.cores()[31])->cpuset.list(), "31") << "the paper's core 31 is PU 31";
}

TEST(Knl7210, CoresMeetAtTwoLevelsWithTheseFigures) {
  const Machine m = catalog_machine("knl-7210");
  EXPECT_EQ(m.levels.size(), 2u);
  EXPECT_EQ(costs_between(m, 0, 1).level, "L2");
  EXPECT_EQ(costs_between(m, 1, 2).level, "NUMANode");
  EXPECT_EQ(costs_between(m, 0, 63).level, "NUMANode");
  EXPECT_DOUBLE_EQ(m.core_speed.si, 41.6e9);
  EXPECT_DOUBLE_EQ(m.copy_bandwidth.si, 5.92e9);
  EXPECT_DOUBLE_EQ(m.combine_bandwidth().si, 3.95e9);
  EXPECT_EQ(m.copies().si, 1);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 1).latency.si, 0.44e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 2).latency.si, 0.59e-6);
}

TEST(Knl7210Snc4, HasFourNumaNodesOfSixteenCores) {
  const Machine m = catalog_machine("knl-7210-snc4");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(objects_of(t).count, (Count{{"System - Cluster", 1},
                                        {"Machine", 1},
                                        {"Package", 1},
                                        {"Group0", 4},
                                        {"NUMANode", 4},
                                        {"L2", 32},
                                        {"L1d", 64},
                                        {"Core", 64}}));
  EXPECT_EQ(costs_between(m, 0, 1).level, "L2");
  EXPECT_EQ(costs_between(m, 0, 15).level, "NUMANode");
  EXPECT_EQ(costs_between(m, 15, 16).level, "Package");
}

// Cores within a node meet at the same figures.
TEST(Knl7210, VariantsDifferInTheirTreeOnly) {
  const Machine one = catalog_machine("knl-7210");
  for (const char* name : {"knl-7210-2n", "knl-7210-snc4"}) {
    const Machine m = catalog_machine(name);
    EXPECT_EQ(m.core_speed.si, one.core_speed.si);
    EXPECT_EQ(m.copy_bandwidth.si, one.copy_bandwidth.si);
    EXPECT_EQ(m.combine_bandwidth().si, one.combine_bandwidth().si);
    EXPECT_EQ(m.eager_limit.si, one.eager_limit.si);
    EXPECT_EQ(m.copies().si, one.copies().si);
    for (const int other : {1, 2, 63}) {
      EXPECT_EQ(costs_between(m, 0, other).latency.si, costs_between(one, 0, other).latency.si) << name;
      EXPECT_EQ(costs_between(m, 0, other).overhead.si, costs_between(one, 0, other).overhead.si) << name;
      EXPECT_EQ(costs_between(m, 0, other).bandwidth.si, costs_between(one, 0, other).bandwidth.si) << name;
    }
  }
  const Machine two = catalog_machine("knl-7210-2n");
  EXPECT_EQ(two.topology->num_nodes(), 2);
  EXPECT_EQ(two.topology->cores().size(), 128u);
  EXPECT_EQ(costs_between(two, 63, 64).level, "System - Cluster");
  EXPECT_DOUBLE_EQ(costs_between(two, 63, 64).link_bandwidth.si, 12.5e9);  // 100 Gb/s
}

TEST(Skl8168, HasTwoSocketsOf24Cores) {
  const Machine m = catalog_machine("skl-8168");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 1);
  EXPECT_EQ(t.cores().size(), 48u);
  const Objects o = objects_of(t);
  EXPECT_EQ(o.count, (Count{{"System - Cluster", 1},
                            {"Machine", 1},
                            {"Package", 2},
                            {"NUMANode", 2},
                            {"L3", 2},
                            {"L2", 48},
                            {"L1d", 48},
                            {"Core", 48}}));
  EXPECT_EQ(o.size.at("L3"), "33MB");
  EXPECT_EQ(o.size.at("L2"), "1024KB");
}

TEST(Skl8168, CoresMeetAtTwoLevelsWithTheseFigures) {
  const Machine m = catalog_machine("skl-8168");
  EXPECT_EQ(m.levels.size(), 2u);
  EXPECT_EQ(costs_between(m, 0, 23).level, "L3");
  EXPECT_EQ(costs_between(m, 23, 24).level, "Machine");
  EXPECT_DOUBLE_EQ(m.core_speed.si, 86.4e9);
  EXPECT_DOUBLE_EQ(m.copy_bandwidth.si, 6.12e9);
  EXPECT_DOUBLE_EQ(m.combine_bandwidth().si, 5.7e9);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 1).latency.si, 0.23e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 24).latency.si, 0.42e-6);
}

// Levels are in order from the outermost to the innermost. Latencies do not decrease outwards, and bandwidths do not
// increase, except from the node to the network: its adapter may move a message's bytes faster than a core copies them
// within the node.
TEST(Catalog, CostsGrowOutwards) {
  for (const std::string& name : catalog_names("platforms/data")) {
    const Machine m = catalog_machine(name);
    const LevelCosts& outermost_in_node = costs_between(m, 0, m.topology->num_cores(m.topology->node_vertex(0)) - 1);
    for (size_t i = 1; i < m.levels.size(); ++i) {
      EXPECT_GE(m.levels[i - 1].latency.si, m.levels[i].latency.si) << name << ", " << m.levels[i].level;
      if (m.levels[i].level == outermost_in_node.level) continue;
      EXPECT_LE(m.levels[i - 1].bandwidth.si, m.levels[i].bandwidth.si) << name << ", " << m.levels[i].level;
    }
  }
}

// Kinds of the links between the routers of two nodes.
std::vector<std::string> links_between(const Machine& m, int a, int b) {
  const FabricNetwork& f = *m.fabric;
  std::vector<int> links;
  f.fabric->route(f.router_of(a), f.router_of(b), 0, links);
  std::vector<std::string> kinds;
  for (const int l : links) kinds.push_back(f.fabric->kinds()[f.fabric->kind(l)]);
  return kinds;
}

using Kinds = std::vector<std::string>;

// A node has 16 modules in 2 processors of 2 dies each. A router has two nodes; the last dimension is numbered first.
TEST(BlueWaters, HoldsAJobOf16384ProcessesSixteenANode) {
  const Machine m = catalog_machine("blue-waters");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 1024);
  EXPECT_EQ(t.cores().size(), 16384u);
  const Objects o = objects_of(t);
  EXPECT_EQ(o.count, (Count{{"System - Cluster", 1},
                            {"Gemini", 512},
                            {"Machine", 1024},
                            {"Package", 2048},
                            {"L3", 4096},
                            {"NUMANode", 4096},
                            {"L2", 16384},
                            {"Core", 16384},
                            {"PU", 32768}}));
  EXPECT_EQ(o.size.at("L3"), "8192KB");
  EXPECT_EQ(o.size.at("L2"), "2048KB");
  const std::vector<Binding> ranks = place(t, 16384);
  EXPECT_EQ(ranks[15].node, 0);
  EXPECT_EQ(ranks[16].node, 1);
  EXPECT_EQ(ranks[1].cpuset.list(), "2-3");  // a module has two integer cores
}

TEST(BlueWaters, CoresMeetAtFiveLevelsAndMessagesTakeTheTorus) {
  const Machine m = catalog_machine("blue-waters");
  EXPECT_EQ(costs_between(m, 0, 3).level, "NUMANode");
  EXPECT_EQ(costs_between(m, 0, 4).level, "Package");
  EXPECT_EQ(costs_between(m, 0, 8).level, "Machine");
  EXPECT_EQ(costs_between(m, 0, 16).level, "Gemini");
  EXPECT_EQ(costs_between(m, 0, 32).level, "System - Cluster");
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 16).latency.si, 1.81e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 16).bandwidth.si, 1.73e9);
  for (const LevelCosts& c : m.levels) {  // short, eager, rendezvous
    ASSERT_EQ(c.segments.size(), 2u) << c.level;
    EXPECT_DOUBLE_EQ(c.segments[0].from.si, 512) << c.level;
    EXPECT_DOUBLE_EQ(c.segments[1].from.si, m.eager_limit.si) << c.level;
    EXPECT_LT(c.latency.si, c.segments[0].latency.si) << c.level;
    EXPECT_LT(c.segments[0].latency.si, c.segments[1].latency.si) << c.level;
  }
  EXPECT_DOUBLE_EQ(figures_of(costs_between(m, 0, 32), 65536).bandwidth, 4.78e9);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 16).duplex_bandwidth->si, 6.4e9);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 32).duplex_bandwidth->si, 10.1e9);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 32).gap->si, 40e-9);
  EXPECT_DOUBLE_EQ(m.fabric->injection.si, 6.5e9);
  EXPECT_EQ(links_between(m, 0, 1), Kinds{});
  EXPECT_EQ(links_between(m, 0, 2), Kinds{"z"});
  EXPECT_EQ(links_between(m, 0, 2 * 8), Kinds{"y"});
  EXPECT_EQ(links_between(m, 0, 2 * 64), Kinds{"x"});
  // A block is not periodic: the far corner is 21 links away, not 3.
  EXPECT_EQ(links_between(m, 0, 1023).size(), 21u);
  EXPECT_LT(m.fabric->links[1].si, m.fabric->links[0].si);  // y has half the lanes
}

TEST(Theta, HoldsAJobOf16384ProcessesSixtyFourANode) {
  const Machine m = catalog_machine("theta");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 256);
  EXPECT_EQ(t.cores().size(), 16384u);
  const Objects o = objects_of(t);
  EXPECT_EQ(o.count, (Count{{"System - Cluster", 1},
                            {"Group", 2},
                            {"Chassis", 4},
                            {"Aries", 64},
                            {"Machine", 256},
                            {"Package", 256},
                            {"NUMANode", 256},
                            {"L2", 8192},
                            {"L1d", 16384},
                            {"Core", 16384}}));
}

// 16 routers in a chassis, two chassis in a group; nodes are those of knl-7210.
TEST(Theta, CoresMeetAtSixLevelsAndMessagesTakeTheDragonfly) {
  const Machine m = catalog_machine("theta"), node = catalog_machine("knl-7210");
  for (const int other : {1, 2, 63}) {
    EXPECT_EQ(costs_between(m, 0, other).latency.si, costs_between(node, 0, other).latency.si);
    EXPECT_EQ(costs_between(m, 0, other).bandwidth.si, costs_between(node, 0, other).bandwidth.si);
  }
  EXPECT_EQ(costs_between(m, 0, 64).level, "Aries");
  EXPECT_EQ(costs_between(m, 0, 64 * 4).level, "Chassis");
  EXPECT_EQ(costs_between(m, 0, 64 * 64).level, "Group");
  EXPECT_EQ(costs_between(m, 0, 64 * 128).level, "System - Cluster");
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 64).latency.si, 3.4e-6);
  EXPECT_EQ(links_between(m, 0, 3), Kinds{});
  EXPECT_EQ(links_between(m, 0, 63), Kinds{"row"});
  EXPECT_EQ(links_between(m, 0, 64), Kinds{"column"});
  EXPECT_EQ(links_between(m, 0, 127), (Kinds{"row", "column"}));
  int global = 0;
  for (int l = 0; l < m.fabric->fabric->num_links(); ++l) {
    global += m.fabric->fabric->kinds()[m.fabric->fabric->kind(l)] == "global" ? 1 : 0;
  }
  EXPECT_EQ(global, 2 * 16);  // one link in each direction
}

TEST(PizDaint, HoldsTheLargestJobOfThePaper) {
  const Machine m = catalog_machine("piz-daint");
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 512);
  EXPECT_EQ(t.cores().size(), 18432u);
  const Objects o = objects_of(t);
  EXPECT_EQ(o.count, (Count{{"System - Cluster", 1},
                            {"Group", 2},
                            {"Chassis", 8},
                            {"Aries", 128},
                            {"Machine", 512},
                            {"Package", 1024},
                            {"NUMANode", 1024},
                            {"L3", 1024},
                            {"L2", 18432},
                            {"L1d", 18432},
                            {"Core", 18432}}));
  EXPECT_EQ(o.size.at("L3"), "45MB");
}

TEST(PizDaint, CoresMeetAtSixLevelsAndMessagesTakeTheDragonfly) {
  const Machine m = catalog_machine("piz-daint");
  EXPECT_EQ(costs_between(m, 0, 17).level, "L3");
  EXPECT_EQ(costs_between(m, 0, 18).level, "Machine");
  EXPECT_EQ(costs_between(m, 0, 36).level, "Aries");
  EXPECT_EQ(costs_between(m, 0, 36 * 4).level, "Chassis");
  EXPECT_EQ(costs_between(m, 0, 36 * 64).level, "Group");
  EXPECT_EQ(costs_between(m, 0, 36 * 256).level, "System - Cluster");
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 36).latency.si, 1.3e-6);
  EXPECT_DOUBLE_EQ(costs_between(m, 0, 36).bandwidth.si, 9.65e9);
  EXPECT_DOUBLE_EQ(m.fabric->injection.si, 10.2e9);
  EXPECT_EQ(links_between(m, 0, 255), (Kinds{"row", "column"}));
  const Kinds between_groups = links_between(m, 0, 256);
  EXPECT_LE(between_groups.size(), 5u);
  EXPECT_EQ(std::count(between_groups.begin(), between_groups.end(), "global"), 1);
}

}  // namespace
}  // namespace strata
