// SPDX-License-Identifier: LGPL-2.1-only
// Drawings: the text of one node is lstopo's, folded text counts what it leaves out, JSON contains the whole tree, and
// SVG is well formed and shows each PU once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "platforms/draw_json.h"
#include "platforms/draw_svg.h"
#include "platforms/draw_text.h"
#include "platforms/list.h"
#include "platforms/network_text.h"
#include "tests/platforms/machines.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int count(const std::string& text, const std::string& what) {
  int n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++n;
  return n;
}

// Without `memory`, the first NUMA nodes have no memory in hwloc 2.9 and 1 GiB in 2.12.
std::shared_ptr<const Topology> unequal() {
  const auto a = import_node_synthetic("pack:1 [numa(memory=1073741824)] core:2"), b = import_node_synthetic("core:1");
  NetworkGroup root{.level = "",
                    .groups = {{.level = "Switch", .groups = {}, .nodes = 3},
                               {.level = "Switch", .groups = {}, .nodes = 2},
                               {.level = "Switch", .groups = {}, .nodes = 2}},
                    .nodes = 1};
  return std::make_shared<const Topology>(root, std::vector{a, a, b, a, a, a, a, b});
}

// --- text ----------------------------------------------------------------------------------------------------------

TEST(DrawText, OfOneNodeIsWhatLstopoPrints) {
  for (const std::string& name : kNodes) {
    std::string lstopo = read(kData + name + ".lstopo");
    // NUMA nodes with the same cores share a line here, and memory without PUs is not shown.
    if (name == "32knl-2n8c4t") {
      RE2::GlobalReplace(&lstopo, "\\(P#0 96GB\\)\n *NUMANode L#1 \\(P#1 16GB\\)", "(P#0 96GB + 16GB)");
    }
    if (name == "4memory-2p3n") RE2::GlobalReplace(&lstopo, " *NUMANode L#2 .*\n", "");
    EXPECT_EQ(draw_text(*flat_cluster(test_node(name), 1)), lstopo) << name;
  }
}

TEST(DrawText, FoldsWhatLooksAlike) {
  EXPECT_EQ(draw_text(*unequal()),
            "System - Cluster (8 nodes, 14 cores)\n"
            "  Switch L#0 (3 nodes, 5 cores)\n"
            "    2 x Machine, nodes 0-1 (1024MB total) + Package L#0\n"
            "      NUMANode L#0 (P#0 1024MB)\n"
            "      Core L#0 + PU L#0 (P#0)\n"
            "      Core L#1 + PU L#1 (P#1)\n"
            "    Machine, node 2 (1024MB total)\n"
            "      NUMANode L#0 (P#0 1024MB)\n"
            "      Core L#0 + PU L#0 (P#0)\n"
            "  2 x Switch L#1-2 (2 nodes, 4 cores each)\n"
            "    2 x Machine, nodes 3-4 (1024MB total): as node 0\n"
            "  Machine, node 7 (1024MB total): as node 2\n");
}

TEST(DrawText, FullShowsEachNode) {
  const std::string text = draw_text(*unequal(), {.full = true});
  EXPECT_EQ(count(text, " x "), 0);
  EXPECT_EQ(count(text, ": as node"), 0);
  EXPECT_EQ(count(text, "Machine, node "), 8);
  EXPECT_EQ(count(text, "PU L#"), 14);
  EXPECT_THAT(text, HasSubstr("  Switch L#2 (2 nodes, 4 cores)\n    Machine, node 5 (1024MB total) + Package L#0\n"));
}

TEST(DrawText, NodesThatDifferOnlyInIndexesAreNotFolded) {
  const auto t = std::make_shared<const Topology>(
      NetworkGroup{.level = "", .groups = {}, .nodes = 3},
      std::vector{test_node("4io-2p2n"), test_node("4io-2p2n"), test_node("4disallowed-2p2n")});
  const std::string text = draw_text(*t);
  EXPECT_THAT(text, HasSubstr("  2 x Machine, nodes 0-1 (16GB total)\n"));
  EXPECT_THAT(text, HasSubstr("  Machine, node 2 (16GB total)\n"));
}

// --- JSON ----------------------------------------------------------------------------------------------------------

void expect_vertex(const Topology& t, int v, const Json& json, int& seen) {
  ++seen;
  EXPECT_EQ(json["name"], t.name(v));
  const NodeObject* o = t.object(v);
  EXPECT_EQ(json["cpuset"], o == nullptr ? Json(nullptr) : Json(o->cpuset.list()));
  EXPECT_EQ(json.contains("core"), o != nullptr && o->is_core);
  ASSERT_EQ(json["children"].size(), t.children(v).size());
  for (size_t i = 0; i < json["children"].size(); ++i) expect_vertex(t, t.children(v)[i], json["children"][i], seen);
}

TEST(DrawJson, HoldsEveryVertexAndEveryFigure) {
  const Machine m = find_machine("ntw10e5", "platforms/data");
  const Json json = Json::parse(draw_json(m).dump());
  EXPECT_EQ(json["schema"], "strata.topo/1");
  EXPECT_EQ(json["machine"], "ntw10e5");
  EXPECT_EQ(json["nodes"], 10);
  EXPECT_EQ(json["cores"], 240);
  EXPECT_EQ(json["tree"]["type"], "Network");
  EXPECT_TRUE(json["tree"]["os_index"].is_null());
  int seen = 0;
  expect_vertex(*m.topology, 0, json["tree"], seen);
  EXPECT_EQ(seen, m.topology->num_vertices());
  const Json& machine = json["tree"]["children"][3];
  EXPECT_EQ(machine["type"], "Machine");
  EXPECT_EQ(machine["node"], 3);
  EXPECT_EQ(machine["note"], "128GB total");
  EXPECT_EQ(machine["cpuset"], "0-23");
  std::vector<std::string> keys;
  for (const auto& [key, value] : machine.items()) keys.push_back(key);
  EXPECT_THAT(keys,
              testing::ElementsAre("type", "name", "node", "logical_index", "os_index", "cpuset", "note", "children"));
  const Json& l3 = machine["children"][1]["children"][0];
  EXPECT_EQ(l3["type"], "Cache");
  EXPECT_EQ(l3["name"], "L3");
  EXPECT_EQ(l3["logical_index"], 2);
  ASSERT_EQ(json["costs"]["levels"].size(), 4u);
  EXPECT_EQ(json["costs"]["levels"][0]["level"], "System - Cluster");
  EXPECT_EQ(json["costs"]["levels"][0]["latency"]["value"], 1.62);
  EXPECT_EQ(json["costs"]["levels"][0]["latency"]["unit"], "us");
  EXPECT_DOUBLE_EQ(json["costs"]["levels"][0]["latency"]["si"].get<double>(), 1.62e-6);
  EXPECT_EQ(json["costs"]["eager_limit"]["si"], 12288);
}

// Derived figures are included, with a source that says so.
TEST(DrawJson, HoldsMemory) {
  Machine m = find_machine("ntw10e5", "platforms/data");
  m.memory.reset();
  EXPECT_FALSE(draw_json(m)["costs"].contains("memory"));
  m.memory.emplace().bandwidth = {.value = 20, .unit = "GB/s", .source = "assumed: a test", .si = 20e9};
  const Json memory = draw_json(m)["costs"]["memory"];
  EXPECT_EQ(memory["bandwidth"]["source"], "assumed: a test");
  EXPECT_EQ(memory["combine_bandwidth"]["value"], 30);
  EXPECT_EQ(memory["combine_bandwidth"]["unit"], "GB/s");
  EXPECT_DOUBLE_EQ(memory["cache_bandwidth"]["si"].get<double>(), 3 * 5.2e9);
  EXPECT_FALSE(memory.contains("shared_cache_bandwidth"));
  m.memory->shared_cache_bandwidth = m.memory->bandwidth;
  EXPECT_EQ(draw_json(m)["costs"]["memory"]["shared_cache_bandwidth"]["value"], 20);
}

// --- SVG -----------------------------------------------------------------------------------------------------------

struct Rect {
  int x, y, w, h;
};

std::vector<Rect> rectangles(const std::string& svg) {
  std::vector<Rect> result;
  static const RE2 form(R"re(<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)")re");
  re2::StringPiece rest = svg;
  for (Rect r{}; RE2::FindAndConsume(&rest, form, &r.x, &r.y, &r.w, &r.h);) result.push_back(r);
  return result;
}

// Two boxes are nested or apart (those of PUs may touch), never overlapping, and no box extends beyond the page.
void expect_tidy(const std::string& svg) {
  const std::vector<Rect> boxes = rectangles(svg);
  ASSERT_FALSE(boxes.empty());
  for (size_t i = 0; i < boxes.size(); ++i) {
    const Rect& a = boxes[i];
    EXPECT_LE(a.x + a.w, boxes[0].x + boxes[0].w);
    EXPECT_LE(a.y + a.h, boxes[0].y + boxes[0].h);
    for (size_t j = i + 1; j < boxes.size(); ++j) {
      const Rect& b = boxes[j];
      const bool apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
      const bool inside = a.x <= b.x && a.y <= b.y && b.x + b.w <= a.x + a.w && b.y + b.h <= a.y + a.h;
      ASSERT_TRUE(apart || inside) << "boxes " << i << " and " << j;
    }
  }
  // Tags match: every element is closed, in order.
  std::vector<std::string> open;
  static const RE2 tag("<(/?)([a-z]+)[^>]*?(/?)>");
  re2::StringPiece rest = svg;
  for (std::string closes, name, closed; RE2::FindAndConsume(&rest, tag, &closes, &name, &closed);) {
    if (!closed.empty()) continue;
    if (closes.empty()) {
      open.push_back(name);
    } else {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), name);
      open.pop_back();
    }
  }
  EXPECT_TRUE(open.empty());
}

TEST(DrawSvg, IsTidyAndShowsEachPuOnEveryMachine) {
  for (const std::string& name : kNodes) {
    SCOPED_TRACE(name);
    const auto t = flat_cluster(test_node(name), 1);
    const std::string svg = draw_svg(*t);
    expect_tidy(svg);
    const int pus = t->object(t->node_vertex(0))->cpuset.count();
    EXPECT_EQ(count(svg, ">PU L#"), pus);
    for (int i = 0; i < pus; ++i) EXPECT_EQ(count(svg, ">PU L#" + std::to_string(i) + "<"), 1);
    for (int v = 0; v < t->num_vertices(); ++v) {
      if (t->type(v) == ObjectType::kPackage || t->type(v) == ObjectType::kNumaNode ||
          t->type(v) == ObjectType::kCore) {
        const std::string label = ">" + t->name(v) + " L#" + std::to_string(t->object(v)->logical_index);
        EXPECT_GE(count(svg, label), 1) << label;
      }
    }
    EXPECT_EQ(svg, draw_svg(*flat_cluster(test_node(name), 1)));
  }
}

// Shown with each NUMA node.
TEST(DrawSvg, AndTextTellWhatMemoriesCarry) {
  EXPECT_EQ(draw_text(*parse_tree("pack:2 [numa(memory=1073741824)] core:2 pu:1"), {.memory = "17.6 GB/s"}),
            "Machine (2048MB total)\n"
            "  Package L#0\n"
            "    NUMANode L#0 (P#0 1024MB, 17.6 GB/s)\n"
            "    Core L#0 + PU L#0 (P#0)\n"
            "    Core L#1 + PU L#1 (P#1)\n"
            "  Package L#1\n"
            "    NUMANode L#1 (P#1 1024MB, 17.6 GB/s)\n"
            "    Core L#2 + PU L#2 (P#2)\n"
            "    Core L#3 + PU L#3 (P#3)\n");
  const std::string svg = draw_svg(*parse_tree("pack:2 [numa] core:2 pu:1"), "", "17.6 GB/s");
  EXPECT_EQ(count(svg, "17.6 GB/s"), 2);
  expect_tidy(svg);
}

// Beside the object to which each is attached.
TEST(DrawSvg, AndTextShowPorts) {
  Machine m = machine_from_tree("node:2 pack:2 [numa] core:1 pu:1");
  m.ports = NetworkPorts{.at = {"Package 0", "Package 0", "Package 1"},
                         .bandwidth = {.value = 100, .unit = "Gb/s", .source = "assumed: a test", .si = 12.5e9}};
  EXPECT_EQ(network_text(m), "3 ports a node, at Package 0, Package 0, Package 1, 100 Gb/s each");
  const std::string text = draw_text(*m.topology, {.network = network_text(m), .ports = port_labels(m)});
  EXPECT_THAT(text, HasSubstr("(2 nodes, 4 cores): 3 ports a node"));
  EXPECT_THAT(text, HasSubstr("Package L#0 (ports 0, 1: 100 Gb/s each)"));
  EXPECT_THAT(text, HasSubstr("Package L#1 (port 2: 100 Gb/s)"));
  const std::string svg = draw_svg(*m.topology, network_text(m), "", {}, "", port_labels(m));
  EXPECT_EQ(count(svg, "port 2: 100 Gb/s"), 1);
  expect_tidy(svg);
  const nlohmann::ordered_json json = draw_json(m);
  EXPECT_EQ(json["ports"].dump(), R"({"at":["Package 0","Package 0","Package 1"],"rule":"nearest"})");
  EXPECT_EQ(json["costs"]["ports"]["bandwidth"]["si"], 12.5e9);
}

// Shown with each outermost cache.
TEST(DrawSvg, AndTextTellWhatCachesCarry) {
  const auto t = parse_tree("pack:1 [numa] l3:2(size=16777216) l2:2 core:1 pu:1");
  const std::string text = draw_text(*t, {.memory = "17.6 GB/s", .cache = "160 GB/s"});
  EXPECT_EQ(count(text, ", 160 GB/s"), 2);
  EXPECT_THAT(text, HasSubstr("L3 L#1 (16MB, 160 GB/s)\n"));
  const std::string svg = draw_svg(*t, "", "17.6 GB/s", {}, "160 GB/s");
  EXPECT_EQ(count(svg, "160 GB/s"), 2);
  expect_tidy(svg);
}

TEST(DrawSvg, DrawsOneOfEachKindOfNodeInFull) {
  const std::string svg = draw_svg(*unequal());
  expect_tidy(svg);
  EXPECT_EQ(count(svg, ">PU L#"), 3);  // node 0 has two, node 2 one
  EXPECT_EQ(count(svg, ">Machine, node 0"), 1);
  EXPECT_EQ(count(svg, ">Machine, node 2"), 1);
  EXPECT_EQ(count(svg, ">as node 0<"), 3);  // node 1, and the first of the two equal switches
  EXPECT_EQ(count(svg, ">as node 2<"), 1);
  EXPECT_EQ(count(svg, ">as Switch L#1<"), 1);
  EXPECT_THAT(svg, HasSubstr(">Switch L#1: 2 nodes, 4 cores<"));
}

TEST(DrawSvg, ManyNodesAreCounted) {
  const std::string svg = draw_svg(*parse_tree("node:1000 core:2"));
  expect_tidy(svg);
  EXPECT_THAT(svg, HasSubstr(">999 x node 1-999<"));
  EXPECT_LT(svg.size(), 10'000u);
}

TEST(DrawSvg, EscapesNames) {
  const auto node = import_node_synthetic("core:1");
  const Topology t(NetworkGroup{.level = "", .groups = {{.level = "A<&\">", .groups = {}, .nodes = 2}}, .nodes = 0},
                   {node, node});
  EXPECT_THAT(draw_svg(t), HasSubstr("A&lt;&amp;&quot;&gt; L#0"));
}

// --- the catalog's list --------------------------------------------------------------------------------------------

TEST(List, ALineForEachMachine) {
  const std::string list = list_machines_text("platforms/data");
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'),
            static_cast<std::ptrdiff_t>(catalog_names("platforms/data").size()));
  EXPECT_THAT(list, testing::ContainsRegex("\nntw10e5 +10 nodes +240 cores  10 nodes x 2 sockets"));
}

TEST(List, TellsEveryFigureWithItsSource) {
  const std::string list = list_machines_text("platforms/data");
  const Json json = list_machines_json("platforms/data");
  EXPECT_EQ(json["schema"], "strata.machines/1");
  ASSERT_EQ(json["machines"].size(), catalog_names("platforms/data").size());
  for (const Json& machine : json["machines"]) {
    const Machine m = find_machine(machine["name"].get<std::string>(), "platforms/data");
    EXPECT_EQ(machine["hash"], machine_hash(m));
    EXPECT_EQ(machine["cores"], m.topology->cores().size());
    EXPECT_THAT(list, HasSubstr(m.name + " "));
    EXPECT_THAT(list, HasSubstr(" " + m.description + "\n"));
    const std::string text = machine_figures_text(m);
    EXPECT_THAT(text, testing::StartsWith(m.name + "  "));
    for (const LevelCosts& c : m.levels) {
      for (const Figure* f : {&c.latency, &c.overhead, &c.bandwidth, &c.link_bandwidth}) {
        EXPECT_THAT(text, HasSubstr(f->source + "\n"));
        EXPECT_THAT(machine["costs"].dump(), HasSubstr(Json(f->source).dump()));
      }
    }
  }
  const std::string text = machine_figures_text(find_machine("ntw10e5", "platforms/data"));
  EXPECT_THAT(text, HasSubstr("    System - Cluster: latency             1.62 us  published: osu_latency"));
  EXPECT_THAT(text, HasSubstr("    core: combine_bandwidth              5.2 GB/s  assumed: as copy_bandwidth"));
  EXPECT_THAT(text, HasSubstr("    copies                               1 copies  assumed: only the receiver copies"));
  EXPECT_THROW(list_machines_text("nowhere"), InputError);
}

}  // namespace
}  // namespace strata
