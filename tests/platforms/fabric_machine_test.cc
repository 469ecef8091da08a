// SPDX-License-Identifier: LGPL-2.1-only
// Machines whose network is not a tree: reading and writing, every error with its line, what-ifs, and the output of
// drawings and lists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "platforms/draw_json.h"
#include "platforms/draw_svg.h"
#include "platforms/draw_text.h"
#include "platforms/fabric.h"
#include "platforms/list.h"
#include "platforms/machine.h"
#include "platforms/what_if.h"
#include "tests/error_of.h"
#include "tests/platforms/fabric_machines.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class FabricMachine : public testing::Test {
 protected:
  FabricMachine() {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "fabric.txt") << kSwitchesFile;
  }

  Machine load(const std::string& text) {
    std::ofstream(folder_ / "machine.yaml", std::ios::binary) << text;
    return load_machine(folder_ / "machine.yaml");
  }

  // The error of load_machine for `yaml` with `from` replaced by `to`, without the file name.
  std::string error(const std::string& yaml, const std::string& from, const std::string& to) {
    return error_of([&] { load(with(yaml, from, to)); }, (folder_ / "machine.yaml").string());
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / "catalog" / "fabric";
};

std::string what_if_error(const Machine& m, const std::vector<WhatIf>& changes) {
  return error_of([&] { what_if(m, changes); });
}

// The level at which two cores, given by their indexes, meet.
std::string level_between(const Machine& m, int a, int b) {
  const Topology& t = *m.topology;
  return m.costs_at(t.lowest_common_ancestor(t.cores()[a], t.cores()[b]))->level;
}

WhatIf times(const std::string& figure, double factor) {
  return {.where = "here", .figure = figure, .value = factor, .unit = "", .source = "assumed: a test"};
}

TEST_F(FabricMachine, TorusIsRead) {
  const Machine m = load(kTorusYaml);
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 48);
  EXPECT_EQ(t.cores().size(), 192u);
  const auto level = [&](int a, int b) { return level_between(m, a, b); };
  EXPECT_EQ(level(0, 3), "NUMANode");
  EXPECT_EQ(level(0, 7), "Gemini");
  EXPECT_EQ(level(0, 8), "System - Cluster");
  ASSERT_TRUE(m.fabric);
  EXPECT_TRUE(std::holds_alternative<TorusShape>(m.fabric->shape));
  EXPECT_EQ(m.fabric->describe(), "torus 4 x 3 x 2 (open in z), 2 nodes a router");
  EXPECT_EQ(m.fabric->fabric->num_routers(), 24);
  EXPECT_EQ(m.fabric->fabric->num_links(), 2 * (24 + 24 + 12));
  EXPECT_EQ(m.fabric->router_of(0), 0);
  EXPECT_EQ(m.fabric->router_of(47), 23);
  EXPECT_DOUBLE_EQ(m.fabric->hop_latency.si, 1e-7);
  EXPECT_DOUBLE_EQ(m.fabric->injection.si, 6e9);
  std::vector<int> route;
  m.fabric->fabric->route(0, 23, 0, route);  // (0,0,0) to (3,2,1)
  ASSERT_EQ(route.size(), 3u);
  EXPECT_DOUBLE_EQ(m.fabric->bandwidth(route[0]), 4.5e9);
  EXPECT_DOUBLE_EQ(m.fabric->bandwidth(route[1]), 3e9);
  EXPECT_DOUBLE_EQ(m.fabric->bandwidth(route[2]), 6e9);
  // The link of a node that messages of these levels share.
  EXPECT_DOUBLE_EQ(m.costs_at(0)->link_bandwidth.si, 6e9);
  EXPECT_TRUE(m.shares_injection("Gemini"));
  EXPECT_FALSE(m.shares_injection("NUMANode"));
  EXPECT_FALSE(m.shares_injection("Blade"));
  EXPECT_FALSE(load(with(kTorusYaml, ", wrap: [true, true, false]", "")).fabric->describe().find("open") < 99);
}

TEST_F(FabricMachine, DragonflyIsRead) {
  const Machine m = load(kDragonflyYaml);
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 24);
  const auto level = [&](int a, int b) { return level_between(m, a, b); };
  EXPECT_EQ(level(0, 7), "Aries");
  EXPECT_EQ(level(0, 8), "Blade");
  EXPECT_EQ(level(0, 24), "Group");
  EXPECT_EQ(level(0, 48), "System - Cluster");
  EXPECT_EQ(m.fabric->describe(),
            "dragonfly of 2 groups of 2 x 3 routers, 2 nodes a router, 2 links between any two groups");
  EXPECT_EQ(m.fabric->fabric->kinds(), (std::vector<std::string>{"row", "column", "global"}));
  EXPECT_EQ(m.fabric->figure_name(1), "dragonfly.column");
  EXPECT_DOUBLE_EQ(m.fabric->links[2].si, 3e9);
}

TEST_F(FabricMachine, FatTreeIsRead) {
  const Machine m = load(kFatTreeYaml);
  const Topology& t = *m.topology;
  t.check_invariants();
  EXPECT_EQ(t.num_nodes(), 12);
  const auto level = [&](int a, int b) { return level_between(m, a, b); };
  EXPECT_EQ(level(0, 3), "NUMANode");
  EXPECT_EQ(level(0, 7), "Switch");
  EXPECT_EQ(level(0, 23), "Pod");
  EXPECT_EQ(level(0, 24), "System - Cluster");
  EXPECT_EQ(m.fabric->describe(), "fat tree of 6 leaf switches with 2 nodes each, 4 switches at the top");
  EXPECT_EQ(m.fabric->fabric->num_routers(), 6 + 2 * 2 + 4);
  EXPECT_EQ(m.fabric->fabric->num_links(), 2 * (6 * 2 + 4 * 2 * 2));
  EXPECT_EQ(m.fabric->fabric->kinds(), (std::vector<std::string>{"Switch", "Pod"}));
  EXPECT_EQ(m.fabric->figure_name(1), "fat_tree.links.Pod");
  EXPECT_DOUBLE_EQ(m.fabric->links[1].si, 3e9);
  EXPECT_EQ(m.fabric->router_of(11), 5);
  EXPECT_TRUE(m.shares_injection("Pod"));
  EXPECT_DOUBLE_EQ(m.costs_at(0)->link_bandwidth.si, 6e9);
  // Defaults: one cable, and the usual names of levels.
  std::string usual = with(kFatTreeYaml, ", cables: [1, 2], levels: [Switch, Pod]", "");
  const Machine u = load(with(usual, "level: Pod", "level: Switch 2"));
  EXPECT_EQ(u.fabric->fabric->num_links(), 2 * (6 * 2 + 4 * 2));
  EXPECT_EQ(u.fabric->fabric->kinds(), (std::vector<std::string>{"Switch", "Switch 2"}));
  EXPECT_EQ(load(routed(kFatTreeYaml, "spread")).fabric->routing, Routing::kSpread);
}

TEST_F(FabricMachine, FatTreeErrors) {
  const auto tree = [&](const std::string& from, const std::string& to) { return error(kFatTreeYaml, from, to); };
  EXPECT_EQ(tree("down: [2, 3, 2]", "down: [2]"),
            ":6: network.fat_tree.down: has 1 levels of switches; give at least two, or `nodes: N` for one switch");
  EXPECT_EQ(tree("down: [2, 3, 2], ", ""),
            ":6: network.fat_tree: 'down' is missing; give what hangs below a switch of each level, for example [24, "
            "18]");
  EXPECT_EQ(tree("up: [2, 2], ", ""),
            ":6: network.fat_tree: 'up' is missing; give the switches above a switch of each level but the last, for "
            "example [12]");
  EXPECT_EQ(tree("up: [2, 2]", "up: [2]"), ":6: network.fat_tree.up: has 1 items; give 2, one less than down");
  EXPECT_EQ(tree("cables: [1, 2]", "cables: [1, 2, 3]"),
            ":6: network.fat_tree.cables: has 3 items; give 2, one less than down");
  EXPECT_EQ(tree("levels: [Switch, Pod]", "levels: [Switch]"),
            ":6: network.fat_tree.levels: has 1 items; give 2, one less than down");
  EXPECT_EQ(tree("levels: [Switch, Pod]", "levels: [Switch, Switch]"),
            ":6: network.fat_tree.levels: 'Switch' is the name of another level of this machine; give `levels: NAME` "
            "with a name of its own");
  EXPECT_EQ(tree("up: [2, 2]", "up: [2, 0]"),
            ":6: network.fat_tree.up[1]: '0' is not a whole number from 1 to 1000000; write one");
  EXPECT_EQ(tree("down: [2, 3, 2]", "down: [2000, 3000, 2]"),
            ":6: network.fat_tree: has 6000000 nodes; give at most 1000000");
  EXPECT_EQ(tree("cables: [1, 2]", "cables: [1000000, 1000000]"),
            ":6: network.fat_tree: has 24000000 links; give at most 10000000");
  EXPECT_EQ(error(routed(kFatTreeYaml, "adaptive"), "name", "name"),
            ":6: network.fat_tree.routing: 'adaptive' is not a valid routing; give minimal or spread");
  EXPECT_EQ(tree("      - {value: 3, unit: GB/s, source: \"published: pod\"}\n", ""),
            ":16: costs.fat_tree.links: has 1 figures; give a figure for the cables up from each level: 2");
  EXPECT_EQ(tree("bandwidth: {value: 2, unit: GB/s, source: measured}\n",
                 "bandwidth: {value: 2, unit: GB/s, source: measured}\n      link_bandwidth: {value: 6, unit: GB/s, "
                 "source: measured}\n"),
            ":23: costs.levels[0].link_bandwidth: no link leads up to 'System - Cluster' of a fat tree; leave it out: "
            "costs.fat_tree says what links carry");
}

TEST_F(FabricMachine, FatTreeIsDrawnListedAndChanged) {
  const Machine m = load(kFatTreeYaml);
  EXPECT_THAT(
      draw_text(*m.topology, {.network = m.fabric->describe()}),
      testing::StartsWith("System - Cluster (12 nodes, 48 cores): fat tree of 6 leaf switches with 2 nodes each, 4 "
                          "switches at the top\n"
                          "  2 x Pod L#0-1 (6 nodes, 24 cores each)\n"));
  EXPECT_THAT(draw_svg(*m.topology, m.fabric->describe()), HasSubstr("4 switches at the top<"));
  const Json json = draw_json(m);
  EXPECT_EQ(
      json["network"],
      (Json{{"fat_tree", {{"down", {2, 3, 2}}, {"up", {2, 2}}, {"cables", {1, 2}}, {"levels", {"Switch", "Pod"}}}}}));
  EXPECT_EQ(json["costs"]["fat_tree"]["links"][1]["si"], 3e9);
  EXPECT_THAT(machine_figures_text(m), HasSubstr("fat_tree: Pod links"));
  const Machine wide = what_if(m, {times("fat_tree.links.Pod", 2), times("fat_tree.hop_latency", 3)});
  EXPECT_DOUBLE_EQ(wide.fabric->links[1].si, 6e9);
  EXPECT_DOUBLE_EQ(wide.fabric->hop_latency.si, 3e-7);
}

// Levels must fit the graph, and the figures its cables. An error in the fabric file is reported with its line.
TEST_F(FabricMachine, SwitchesAreRead) {
  const Machine m = load(kSwitchesYaml);
  EXPECT_EQ(m.topology->num_nodes(), 6);
  EXPECT_EQ(m.levels.size(), 3u);
  EXPECT_EQ(m.fabric->describe(), "fat tree of 3 leaf switches with 1 to 3 nodes and 2 without, 7 cables");
  EXPECT_EQ(m.fabric->router_of(4), 1);
  EXPECT_EQ(m.fabric->seat_of(4), 4);
  EXPECT_DOUBLE_EQ(m.fabric->bandwidth(0), 4.5e9);
  EXPECT_DOUBLE_EQ(m.fabric->bandwidth(2), 3e9);
  EXPECT_DOUBLE_EQ(m.costs_at(0)->link_bandwidth.si, 6e9);
  EXPECT_THAT(
      draw_text(*m.topology, {.network = m.fabric->describe()}),
      testing::StartsWith("System - Cluster (6 nodes, 24 cores): fat tree of 3 leaf switches with 1 to 3 nodes and 2 "
                          "without, 7 cables\n  Switch L#0 (3 nodes, 12 cores)\n"));
  const Json json = draw_json(m);
  EXPECT_EQ(json["network"], (Json{{"switches", {{"switches", 5}, {"cables", 7}, {"levels", {"Switch"}}}}}));
  EXPECT_EQ(json["costs"]["switches"]["links"]["4xFDR"]["si"], 3e9);
  EXPECT_THAT(machine_figures_text(m), HasSubstr("switches: 4xFDR links"));
  const Machine twice = what_if(m, {times("switches.links.4xFDR", 2)});
  EXPECT_DOUBLE_EQ(twice.fabric->links[1].si, 6e9);
}

TEST_F(FabricMachine, SwitchesErrors) {
  const auto switches = [&](const std::string& from, const std::string& to) { return error(kSwitchesYaml, from, to); };
  EXPECT_EQ(switches("{file: fabric.txt, levels: [Switch]}", "{levels: [Switch]}"),
            ":6: network.switches: 'file' is missing; give the fabric's file, for example fabric.txt");
  EXPECT_EQ(switches("levels: [Switch]", "levels: [Switch, Pod]"),
            ":6: network.switches.levels: has 2 names; give one for each level of groups: 1");
  EXPECT_EQ(
      switches("levels: [Switch]", "levels: [Core]"),
      ":6: network.switches.levels: 'Core' is the name of another level of this machine; give `levels: NAME` with a "
      "name of its own");
  EXPECT_EQ(switches("levels: [Switch]", "routing: adaptive"),
            ":6: network.switches.routing: 'adaptive' is not a valid routing; give minimal or spread");
  EXPECT_EQ(switches("      4xFDR: {value: 3, unit: GB/s, source: \"published: FDR\"}\n", ""),
            ":16: costs.switches.links: '4xFDR' is missing; say what such a cable carries");
  EXPECT_EQ(switches("4xFDR: {value: 3", "4xHDR: {value: 3"),
            ":17: costs.switches.links: unknown key '4xHDR'; known keys are 4xEDR, 4xFDR");
  EXPECT_THAT(switches("file: fabric.txt", "file: none.txt"),
              HasSubstr("none.txt: No such file or directory; give a fabric file"));
  std::ofstream(folder_ / "fabric.txt") << with(kSwitchesFile, "link leaf1 top1", "link leaf1 top9");
  EXPECT_THAT(error_of([&] { load(kSwitchesYaml); }), HasSubstr("fabric.txt:7: switch 'top9' is not described"));
}

// Routers with one node do not form a level, but the injection still exists.
TEST_F(FabricMachine, OneNodeARouter) {
  std::string text = with(kTorusYaml, ", nodes_per_router: 2, router: Gemini", "");
  const size_t gemini = text.find("    - level: Gemini");
  text.erase(gemini, text.find("    - level: NUMANode") - gemini);
  const Machine m = load(text);
  EXPECT_EQ(m.topology->num_nodes(), 24);
  EXPECT_EQ(m.levels.size(), 2u);
  EXPECT_DOUBLE_EQ(m.costs_at(0)->link_bandwidth.si, 6e9);
  EXPECT_EQ(m.fabric->router_of(23), 23);
}

// A dragonfly of one group has neither links between groups nor a figure for them.
TEST_F(FabricMachine, OneGroup) {
  std::string text = with(with(kDragonflyYaml, "groups: 2", "groups: 1"), ", global_links: 2", "");
  EXPECT_EQ(error(text, "name", "name"),
            ":17: costs.dragonfly: unknown key 'global'; known keys are hop_latency, injection, row, column");
  text = with(text, "    global: {value: 3, unit: GB/s, source: \"published: global\"}\n", "");
  const Machine m = load(text);
  EXPECT_EQ(m.topology->num_nodes(), 12);
  EXPECT_EQ(m.fabric->describe(), "dragonfly of 1 group of 2 x 3 routers, 2 nodes a router");
}

TEST_F(FabricMachine, RoutingIsRead) {
  EXPECT_EQ(load(kTorusYaml).fabric->routing, Routing::kMinimal);
  for (const std::string& yaml : {kTorusYaml, kDragonflyYaml}) {
    const auto with_routing = [&](const std::string& word) { return load(routed(yaml, word)); };
    EXPECT_EQ(with_routing("minimal").fabric->routing, Routing::kMinimal);
    EXPECT_EQ(machine_hash(with_routing("minimal")), machine_hash(load(yaml)));
    EXPECT_EQ(with_routing("spread").fabric->routing, Routing::kSpread);
    EXPECT_THAT(with_routing("spread").fabric->describe(),
                testing::EndsWith(", messages spread over all minimal ways"));
    EXPECT_EQ(with_routing("adaptive").fabric->routing, Routing::kAdaptive);
    EXPECT_EQ(draw_json(with_routing("adaptive"))["network"].front()["routing"], "adaptive");
    EXPECT_FALSE(draw_json(load(yaml))["network"].front().contains("routing"));
    EXPECT_THAT(error(routed(yaml, "valiant"), "name", "name"),
                HasSubstr("routing: 'valiant' is not a valid routing; give minimal, spread or adaptive"));
  }
}

TEST_F(FabricMachine, WhatIsSavedReadsBackTheSame) {
  const fs::path saved = fs::path(testing::TempDir()) / "saved";
  fs::create_directories(saved);
  std::map<std::string, std::string> hashes;
  for (const std::string& yaml :
       {kTorusYaml, with(kTorusYaml, "wrap: [true, true, false]", "wrap: [true, true, true]"), kDragonflyYaml,
        with(kDragonflyYaml, "global_links: 2", "global_links: 1"), with(kTorusYaml, "value: 3,", "value: 2.5,"),
        routed(kTorusYaml, "spread"), routed(kDragonflyYaml, "adaptive"), kFatTreeYaml, routed(kFatTreeYaml, "spread"),
        kSwitchesYaml, routed(kSwitchesYaml, "spread"),
        with(with(kSwitchesYaml, "levels: [Switch]", "levels: [Leaf]"), "level: Switch", "level: Leaf"),
        with(kFatTreeYaml, "cables: [1, 2]", "cables: [2, 2]")}) {
    const Machine m = load(yaml);
    save_machine(m, saved);
    const Machine back = load_machine(saved / "machine.yaml");
    EXPECT_EQ(machine_hash(back), machine_hash(m));
    EXPECT_EQ(back.fabric->describe(), m.fabric->describe());
    EXPECT_EQ(draw_json(back), draw_json(m));
    EXPECT_TRUE(hashes.emplace(machine_hash(m), yaml).second) << "two machines of one hash";
  }
}

TEST_F(FabricMachine, NetworkErrors) {
  const auto torus = [&](const std::string& from, const std::string& to) { return error(kTorusYaml, from, to); };
  EXPECT_EQ(
      torus("network: {torus", "network: {nodes: 3, torus"),
      ":6: network: mixes several kinds of network; give either `nodes` and `groups`, or `torus`, or `dragonfly`, or "
      "`fat_tree`, or `switches`");
  EXPECT_EQ(torus("dims: [4, 3, 2]", "dims: [4, 0, 2]"),
            ":6: network.torus.dims[1]: '0' is not a whole number from 1 to 1000000; write one");
  EXPECT_EQ(torus("dims: [4, 3, 2]", "dims: [4, 3.5, 2]"),
            ":6: network.torus.dims[1]: '3.5' is not a whole number from 1 to 1000000; write one");
  EXPECT_EQ(torus("dims: [4, 3, 2]", "dims: 24"),
            ":6: network.torus.dims: is not a list; write [a, b] or lines that start with '-'");
  EXPECT_EQ(torus("dims: [4, 3, 2]", "dims: []"), ":6: network.torus.dims: has 0 dimensions; give 1 to 6");
  EXPECT_EQ(torus("dims: [4, 3, 2]", "dims: [1, 1, 1, 1, 1, 1, 1]"),
            ":6: network.torus.dims: has 7 dimensions; give 1 to 6");
  EXPECT_EQ(torus("dims: [4, 3, 2], ", ""),
            ":6: network.torus: 'dims' is missing; give the routers along each dimension, for example [8, 8, 8]");
  EXPECT_EQ(torus("dims: [4, 3, 2]", "dims: [1000, 1000, 2]"),
            ":6: network.torus: has 2000000 nodes; give at most 1000000");
  EXPECT_EQ(torus("nodes_per_router: 2", "nodes_per_router: 100000"),
            ":6: network.torus: has 2400000 nodes; give at most 1000000");
  EXPECT_EQ(
      torus("wrap: [true, true, false]", "wrap: [true]"),
      ":6: network.torus.wrap: does not have the length of dims; give true or false for each of the 3 dimensions");
  EXPECT_EQ(torus("wrap: [true, true, false]", "wrap: [true, 2, false]"),
            ":6: network.torus.wrap[1]: is neither true nor false; write one");
  EXPECT_EQ(torus("router: Gemini", "router: Core"),
            ":6: network.torus.router: 'Core' is the name of another level of this machine; give `router: NAME` with a "
            "name of its own");
  EXPECT_EQ(torus("router: Gemini", "routers: 3"),
            ":6: network.torus: unknown key 'routers'; known keys are dims, wrap, nodes_per_router, router, routing");
  const auto dragonfly = [&](const std::string& from, const std::string& to) {
    return error(kDragonflyYaml, from, to);
  };
  EXPECT_EQ(dragonfly("rows: 2, ", ""), ":6: network.dragonfly: 'rows' is missing; add it");
  EXPECT_EQ(dragonfly("rows: 2", "rows: -1"),
            ":6: network.dragonfly.rows: '-1' is not a whole number from 1 to 1000000; write one");
  EXPECT_EQ(dragonfly(", global_links: 2", ""),
            ":6: network.dragonfly: 'global_links' is missing; say how many links connect any two groups");
  EXPECT_EQ(dragonfly("groups: 2", "groups: 200000"), ":6: network.dragonfly: has 1200000 nodes; give at most 1000000");
  EXPECT_EQ(dragonfly("groups: 2", "groups: 10000"),
            ":6: network.dragonfly: has 99990000 pairs of groups; give at most 10000000");
  EXPECT_EQ(dragonfly("global_links: 2", "global_links: 1000000"), "no error");
  EXPECT_EQ(dragonfly("columns: 3", "columns: 100000"),
            ":6: network.dragonfly: has 40000000000 links within groups; give at most 10000000");
  EXPECT_EQ(dragonfly("row: Blade", "row: Group"),
            ":6: network.dragonfly.row: 'Group' is the name of another level of this machine; give `row: NAME` with a "
            "name of its own");
  // The same for a default name.
  EXPECT_EQ(dragonfly("row: Blade, router: Aries", "group: Router"),
            ":6: network.dragonfly: 'Router' is the name of another level of this machine; give `router: NAME` with a "
            "name of its own");
}

TEST_F(FabricMachine, CostErrors) {
  const auto torus = [&](const std::string& from, const std::string& to) { return error(kTorusYaml, from, to); };
  std::string none = kTorusYaml;
  none.erase(none.find("  torus:"), none.find("  levels:") - none.find("  torus:"));
  EXPECT_EQ(error(none, "name", "name"),
            ":8: costs: 'torus' is missing; give the torus's hop_latency, injection and what its links carry");
  EXPECT_EQ(torus("  torus:", "  dragonfly:"),
            ":12: costs: unknown key 'dragonfly'; known keys are core, eager_limit, copies, queue_search, polling, "
            "memory, torus, levels");
  EXPECT_EQ(torus("    hop_latency: {value: 100, unit: ns, source: \"published: per hop\"}\n", ""),
            ":13: costs.torus: 'hop_latency' is missing; add it");
  EXPECT_EQ(torus("unit: ns, source: \"published: per hop\"", "unit: ns"),
            ":13: costs.torus.hop_latency: 'source' is missing; a figure says where it comes from: `measured`, "
            "`published: <where>` or `assumed: <why>`");
  EXPECT_EQ(torus("value: 6,", "value: 0,"), ":14: costs.torus.injection.value: is too small; write a number above 0");
  EXPECT_EQ(torus("      - {value: 6, unit: GB/s, source: \"published: z\"}\n", ""),
            ":16: costs.torus.links: has 2 figures; give a figure for the links along each dimension: 3");
  EXPECT_EQ(
      torus("published: y", "a manual"),
      ":17: costs.torus.links[1].source: 'a manual' names no source; begin with `measured`, `published: <where>` or "
      "`assumed: <why>`");
  EXPECT_EQ(torus("bandwidth: {value: 2, unit: GB/s, source: measured}\n",
                  "bandwidth: {value: 2, unit: GB/s, source: measured}\n      link_bandwidth: {value: 6, unit: GB/s, "
                  "source: measured}\n"),
            ":24: costs.levels[0].link_bandwidth: no link leads up to 'System - Cluster' of a torus; leave it out: "
            "costs.torus says what links carry");
  EXPECT_EQ(torus("bandwidth: {value: 2, unit: GB/s", "bandwidth: {value: 7, unit: GB/s"),
            ":23: costs.levels[0].bandwidth: is more than the injection of a node; give at most costs.torus.injection");
  EXPECT_EQ(
      torus("    - level: Gemini", "    - level: Router"),
      ":24: costs.levels[1].level: unknown level 'Router'; cores of this machine meet at System - Cluster, Gemini, "
      "NUMANode");
  std::string missing = kDragonflyYaml;
  const size_t blade = missing.find("    - level: Blade");
  missing.erase(blade, missing.find("    - level: Aries") - blade);
  EXPECT_EQ(
      error(missing, "name", "name"),
      ":19: costs.levels: no figures for level 'Blade', at which cores of this machine meet; add `- level: Blade` "
      "with latency, overhead and bandwidth");
  EXPECT_EQ(error(kDragonflyYaml, "    global: {value: 3, unit: GB/s, source: \"published: global\"}\n", ""),
            ":13: costs.dragonfly: 'global' is missing; add it");
}

TEST_F(FabricMachine, WhatIfs) {
  const Machine m = load(kTorusYaml);
  const Machine twice = what_if(m, {times("torus.hop_latency", 2), times("torus.links.y", 0.5)});
  EXPECT_DOUBLE_EQ(twice.fabric->hop_latency.si, 2e-7);
  EXPECT_DOUBLE_EQ(twice.fabric->links[1].si, 1.5e9);
  EXPECT_DOUBLE_EQ(twice.fabric->links[0].si, 4.5e9);
  EXPECT_DOUBLE_EQ(m.fabric->links[1].si, 3e9) << "the machine itself stays";
  EXPECT_EQ(twice.fabric->links[1].source, "assumed: a test; what if 0.5 times small-torus's 3 GB/s (published: y)");
  EXPECT_EQ(twice.description, "a torus that is open in z; what if: torus.hop_latency x 2, torus.links.y x 0.5");
  const Machine wide = what_if(m, {times("torus.injection", 3)});
  EXPECT_DOUBLE_EQ(wide.costs_at(0)->link_bandwidth.si, 18e9);
  EXPECT_EQ(machine_hash(what_if(wide, {})), machine_hash(wide));
  EXPECT_EQ(what_if_error(m, {times("torus.injection", 0.1)}),
            "here: System - Cluster: a link of 0.6 GB/s is less than the 2 GB/s that one message gets; change "
            "torus.injection too");
  EXPECT_THAT(
      what_if_error(m, {times("Gemini.link_bandwidth", 2)}),
      HasSubstr("here: small-torus has no figure 'Gemini.link_bandwidth'; it has core.speed, core.copy_bandwidth, "
                "core.combine_bandwidth, eager_limit, copies, queue_search, polling, torus.hop_latency, "
                "torus.injection, torus.links.x, "
                "torus.links.y, torus.links.z, System - Cluster.latency"));
  const Machine d = what_if(load(kDragonflyYaml), {times("dragonfly.global", 2), times("Blade.bandwidth", 3)});
  EXPECT_DOUBLE_EQ(d.fabric->links[2].si, 6e9);
  EXPECT_DOUBLE_EQ(d.levels[2].bandwidth.si, 6e9);
}

TEST_F(FabricMachine, IsDrawn) {
  const Machine m = load(kTorusYaml);
  EXPECT_THAT(
      draw_text(*m.topology, {.network = m.fabric->describe()}),
      testing::StartsWith("System - Cluster (48 nodes, 192 cores): torus 4 x 3 x 2 (open in z), 2 nodes a router\n"
                          "  24 x Gemini L#0-23 (2 nodes, 8 cores each)\n"));
  EXPECT_THAT(draw_svg(*m.topology, m.fabric->describe()),
              HasSubstr(">System - Cluster: 48 nodes, 192 cores; torus 4 x 3 x 2 (open in z), 2 nodes a router<"));
  const Json json = draw_json(m);
  EXPECT_EQ(
      json["network"],
      (Json{{"torus",
             {{"dims", {4, 3, 2}}, {"wrap", {true, true, false}}, {"nodes_per_router", 2}, {"router", "Gemini"}}}}));
  EXPECT_EQ(json["costs"]["torus"]["links"][1]["si"], 3e9);
  EXPECT_EQ(json["costs"]["torus"]["injection"]["source"], "published: the card");
  EXPECT_EQ(json["costs"]["levels"][1]["link_bandwidth"], json["costs"]["torus"]["injection"]);
  const Json dragonfly = draw_json(load(kDragonflyYaml));
  EXPECT_EQ(dragonfly["network"]["dragonfly"]["global_links"], 2);
  EXPECT_EQ(dragonfly["costs"]["dragonfly"]["global"]["value"], 3);
}

TEST_F(FabricMachine, IsListed) {
  const std::string text = machine_figures_text(load(kTorusYaml));
  EXPECT_THAT(text, HasSubstr("small-torus  48 nodes, 192 cores; torus 4 x 3 x 2 (open in z), 2 nodes a router\n"));
  EXPECT_THAT(text, HasSubstr("    torus: hop_latency              100 ns  published: per hop\n"));
  EXPECT_THAT(text, HasSubstr("    torus: y links                  3 GB/s  published: y\n"));
  EXPECT_EQ(text.find("Gemini: link_bandwidth"), std::string::npos);
  EXPECT_EQ(list_machines_json(folder_.parent_path())["machines"][0]["network"]["torus"]["nodes_per_router"], 2);
}

}  // namespace
}  // namespace strata
