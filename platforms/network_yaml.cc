// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/network_yaml.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platforms/fabric.h"
#include "platforms/fabric_ways.h"
#include "platforms/figure_yaml.h"

namespace strata {
namespace {

// As for nodes, this refuses typing errors instead of attempting them.
constexpr std::int64_t kMaxLinks = 10'000'000;

// --- reading -------------------------------------------------------------------------------------------------------

// Costs refer to levels by name, so a network level must not have the name of the root, of an object inside the nodes,
// or of one of `others`.
bool is_own_name(const std::string& name, const LevelNames& inside, const std::set<std::string>& others) {
  return name != kClusterName && !others.contains(name) && !inside.contains(name);
}

constexpr const char* kNameOfAnother = "' is the name of another level of this machine";

// Checks the name of a fabric's level, whether given or default.
void require_own_name(const YamlReader& fabric, const std::string& key, const std::string& name,
                      const LevelNames& inside, const std::set<std::string>& others) {
  if (is_own_name(name, inside, others)) return;
  const YamlReader at = fabric.has(key) ? fabric.at(key) : fabric;
  at.fail("'" + name + kNameOfAnother, "give `" + key + ": NAME` with a name of its own");
}

void require_at_most(const YamlReader& at, std::int64_t n, std::int64_t most, const std::string& what) {
  if (n > most) at.fail("has " + std::to_string(n) + " " + what, "give at most " + std::to_string(most));
}

int read_count(const YamlReader& at) { return static_cast<int>(at.integer()); }

// A group, and the objects inside the nodes, whose names its levels must not have.
struct GroupIn {
  NetworkGroup group;
  const LevelNames& inside;
};

NetworkGroup read_group(const YamlReader& at, const LevelNames& inside);

std::vector<Key> group_rows();

const KeyOf<GroupIn> kNodes = {{.name = "nodes",
                                .value = Value::whole(1, kMaxNodes),
                                .meaning = "How many nodes hang directly here.",
                                .example = "nodes: 16"},
                               [](const YamlReader& at, GroupIn& in) { in.group.nodes = read_count(at); }};

const KeyOf<GroupIn> kGroups = {{.name = "groups",
                                 .value = Value::list(Value::mapping("Group", group_rows)),
                                 .meaning = "Switches or racks below, which may be of different sizes.",
                                 .example = "groups: [{level: Switch, nodes: 2}, {level: Switch, nodes: 1}]"},
                                [](const YamlReader& at, GroupIn& in) {
                                  for (const YamlReader& item : at.items())
                                    in.group.groups.push_back(read_group(item, in.inside));
                                }};

Keys<GroupIn> group_keys() {
  return {{{.name = "level",
            .value = Value::text(),
            .meaning = "What the level is called in `costs.levels` and in the tree.",
            .example = "level: Switch",
            .missing = "name the level, for example `level: Switch`"},
           [](const YamlReader& at, GroupIn& in) {
             if (!is_own_name(at.text(), in.inside, {}))
               at.fail("'" + at.text() + kNameOfAnother, "name it for example Switch");
             in.group.level = at.text();
           }},
          kNodes,
          kGroups};
}

std::vector<Key> group_rows() { return rows_of(group_keys()); }

void require_nodes(const YamlReader& at, const NetworkGroup& group) {
  if (group.nodes == 0 && group.groups.empty()) at.fail("has no nodes", "give `nodes: N` or `groups:`");
}

NetworkGroup read_group(const YamlReader& at, const LevelNames& inside) {
  GroupIn in{{}, inside};
  read_keys(at, group_keys(), in);
  require_nodes(at, in.group);
  return in.group;
}

// The value is read by read_routing.
template <class Shape>
KeyOf<Shape> routing_key(bool around) {
  std::vector<std::string> words = names_of(kRoutingWords);
  std::string meaning =
      "Which way a message takes where several are minimal: `minimal` is one of them, the same for the same pair at "
      "all "
      "times; `spread` is an equal part of its bytes over each";
  if (around) {
    meaning +=
        "; `adaptive` is as `spread`, or by way of another router, drawn for each message, where the minimal ways are "
        "so much fuller when it starts that their longer way around pays";
  } else {
    std::erase(words, word_of(kRoutingWords, Routing::kAdaptive));
  }
  return {{.name = "routing",
           .value = Value::word(words, "routing"),
           .meaning = meaning + ".",
           .usual = word_of(kRoutingWords, Routing::kMinimal)},
          [](const YamlReader&, Shape&) {}};
}

Routing read_routing(const YamlReader& fabric) {
  return fabric.has("routing") ? *find_word(kRoutingWords, fabric.at("routing").text()) : Routing::kMinimal;
}

Keys<TorusShape> torus_keys() {
  return {{{.name = "dims",
            .value = Value::list(Value::whole(1, kMaxNodes)),
            .meaning = "How many routers there are along each dimension, of which there are at most " +
                       std::to_string(kMaxTorusDimensions) + ".",
            .example = "dims: [8, 8, 8]",
            .missing = "give the routers along each dimension, for example [8, 8, 8]"},
           [](const YamlReader& at, TorusShape& shape) {
             for (const YamlReader& item : at.items()) shape.dims.push_back(read_count(item));
           }},
          {{.name = "wrap",
            .value = Value::list(Value::truth()),
            .meaning = "Whether each dimension is closed to a ring. Left out: all are.",
            .example = "wrap: [true, true, false]"},
           [](const YamlReader& at, TorusShape& shape) {
             for (const YamlReader& item : at.items()) shape.wrap.push_back(item.boolean());
           }},
          {{.name = "nodes_per_router",
            .value = Value::whole(1, kMaxNodes),
            .meaning = "How many nodes a router has.",
            .usual = "1"},
           [](const YamlReader& at, TorusShape& shape) { shape.nodes_per_router = read_count(at); }},
          {{.name = "router",
            .value = Value::text(),
            .meaning = "What the level of a router's nodes is called.",
            .example = "router: Gemini",
            .usual = "Router"},
           [](const YamlReader& at, TorusShape& shape) { shape.router = at.text(); }},
          routing_key<TorusShape>(true)};
}

// Each factor is at most kMaxNodes and each product is checked, so the next product cannot overflow.
TorusShape read_torus(const YamlReader& torus, const LevelNames& inside) {
  TorusShape shape;
  read_keys(torus, torus_keys(), shape);
  std::int64_t nodes = 1;
  const auto multiply = [&](int by) {
    nodes *= by;
    require_at_most(torus, nodes, kMaxNodes, "nodes");
  };
  for (const int routers : shape.dims) multiply(routers);
  if (shape.dims.empty() || shape.dims.size() > kMaxTorusDimensions) {
    torus.at("dims").fail("has " + std::to_string(shape.dims.size()) + " dimensions",
                          "give 1 to " + std::to_string(kMaxTorusDimensions));
  }
  require_at_most(torus, 2 * static_cast<std::int64_t>(shape.dims.size()) * nodes, kMaxLinks, "links");
  if (!torus.has("wrap")) shape.wrap.assign(shape.dims.size(), true);
  if (shape.wrap.size() != shape.dims.size()) {
    torus.at("wrap").fail("does not have the length of dims",
                          "give true or false for each of the " + std::to_string(shape.dims.size()) + " dimensions");
  }
  multiply(shape.nodes_per_router);
  require_own_name(torus, "router", shape.router, inside, {});
  return shape;
}

Keys<DragonflyShape> dragonfly_keys() {
  const auto count = [](const std::string& name, int DragonflyShape::*count, const std::string& meaning,
                        const std::string& usual, const std::string& missing) {
    return KeyOf<DragonflyShape>{
        {.name = name, .value = Value::whole(1, kMaxNodes), .meaning = meaning, .usual = usual, .missing = missing},
        [count](const YamlReader& at, DragonflyShape& shape) { shape.*count = read_count(at); }};
  };
  const auto name = [](const std::string& key, std::string DragonflyShape::*name, const std::string& meaning) {
    return KeyOf<DragonflyShape>{
        {.name = key, .value = Value::text(), .meaning = meaning, .usual = DragonflyShape().*name},
        [name](const YamlReader& at, DragonflyShape& shape) { shape.*name = at.text(); }};
  };
  using Shape = DragonflyShape;
  return {count("groups", &Shape::groups, "How many groups there are.", "", "add it"),
          count("rows", &Shape::rows, "How many rows of routers a group has.", "", "add it"),
          count("columns", &Shape::columns, "How many routers a row has.", "", "add it"),
          count("nodes_per_router", &Shape::nodes_per_router, "How many nodes a router has.", "1", ""),
          count("global_links", &Shape::global_links,
                "How many links connect any two groups. Required where there are several groups.", "", ""),
          name("group", &Shape::group, "What the level of a group is called."),
          name("row", &Shape::row, "What the level of a row is called."),
          name("router", &Shape::router, "What the level of a router's nodes is called."),
          routing_key<Shape>(true)};
}

DragonflyShape read_dragonfly(const YamlReader& dragonfly, const LevelNames& inside) {
  DragonflyShape shape;
  read_keys(dragonfly, dragonfly_keys(), shape);
  std::int64_t nodes = 1;
  for (const int factor : {shape.groups, shape.rows, shape.columns, shape.nodes_per_router}) {
    nodes *= factor;
    require_at_most(dragonfly, nodes, kMaxNodes, "nodes");
  }
  const std::int64_t routers = nodes / shape.nodes_per_router;
  if (shape.groups > 1) dragonfly.at("global_links", "say how many links connect any two groups");
  require_at_most(dragonfly, routers * (shape.columns - 1 + shape.rows - 1), kMaxLinks, "links within groups");
  const std::int64_t pairs = static_cast<std::int64_t>(shape.groups) * (shape.groups - 1);
  require_at_most(dragonfly, pairs, kMaxLinks, "pairs of groups");
  require_at_most(dragonfly, pairs * shape.global_links, kMaxLinks, "links between groups");
  std::set<std::string> names;
  for (const auto& [key, name] : {std::pair{"group", shape.group}, {"row", shape.row}, {"router", shape.router}}) {
    require_own_name(dragonfly, key, name, inside, names);
    names.insert(name);
  }
  return shape;
}

Keys<FatTreeShape> fat_tree_keys() {
  const auto counts = [](const std::string& name, std::vector<int> FatTreeShape::*counts, const std::string& meaning,
                         const std::string& example, const std::string& missing) {
    return KeyOf<FatTreeShape>{{.name = name,
                                .value = Value::list(Value::whole(1, kMaxNodes)),
                                .meaning = meaning,
                                .example = example,
                                .missing = missing},
                               [counts](const YamlReader& at, FatTreeShape& shape) {
                                 for (const YamlReader& item : at.items()) (shape.*counts).push_back(read_count(item));
                               }};
  };
  using Shape = FatTreeShape;
  return {
      counts("down", &Shape::down,
             "How many nodes hang below a leaf switch, how many leaf switches a switch above has below it, and so "
             "on, level by level.",
             "down: [24, 18]", "give what hangs below a switch of each level, for example [24, 18]"),
      counts("up", &Shape::up,
             "How many switches above each switch is connected with, level by level: one number less than `down`.",
             "up: [12]", "give the switches above a switch of each level but the last, for example [12]"),
      counts("cables", &Shape::cables,
             "How many cables there are between a switch and each of those above it, level by level. Left out: one.",
             "cables: [2]", ""),
      {{.name = "levels",
        .value = Value::list(Value::text()),
        .meaning = "What the levels of switches but the last are called. Left out: `Switch`, `Switch 2`, ...",
        .example = "levels: [Switch]"},
       [](const YamlReader& at, FatTreeShape& shape) {
         for (const YamlReader& item : at.items()) shape.levels.push_back(item.text());
       }},
      routing_key<Shape>(false)};
}

// Each product is checked against the limit, so the next one cannot overflow std::int64_t.
FatTreeShape read_fat_tree(const YamlReader& tree, const LevelNames& inside) {
  FatTreeShape shape;
  read_keys(tree, fat_tree_keys(), shape);
  const size_t above = shape.down.empty() ? 0 : shape.down.size() - 1;
  if (above == 0) {
    tree.at("down").fail("has " + std::to_string(shape.down.size()) + " levels of switches",
                         "give at least two, or `nodes: N` for one switch");
  }
  if (!tree.has("cables")) shape.cables.assign(above, 1);
  if (!tree.has("levels")) shape.levels = usual_level_names(static_cast<int>(above));
  const auto require_length = [&](const char* key, size_t length) {
    if (length == above) return;
    tree.at(key).fail("has " + std::to_string(length) + " items",
                      "give " + std::to_string(above) + ", one less than down");
  };
  require_length("up", shape.up.size());
  require_length("cables", shape.cables.size());
  require_length("levels", shape.levels.size());
  shape.nodes_per_router = shape.down.front();
  std::int64_t nodes = 1;
  for (const int n : shape.down) {
    nodes *= n;
    require_at_most(tree, nodes, kMaxNodes, "nodes");
  }
  std::int64_t trees = nodes, width = 1, links = 0;
  for (size_t l = 0; l < above; ++l) {
    trees /= shape.down[l];
    width *= shape.up[l];
    require_at_most(tree, width, kMaxLinks, "switches in a subtree");
    require_at_most(tree, width * shape.cables[l], kMaxLinks, "links up from a subtree");
    links += 2 * trees * width * shape.cables[l];
    require_at_most(tree, links, kMaxLinks, "links");
  }
  std::set<std::string> names;
  for (const std::string& name : shape.levels) {
    require_own_name(tree, "levels", name, inside, names);
    names.insert(name);
  }
  return shape;
}

// The target of the keys of a network of switches.
struct SwitchesIn {
  std::filesystem::path file;
  std::vector<std::string> levels;
};

Keys<SwitchesIn> switches_keys() {
  return {{{.name = "file",
            .value = Value::text("path, relative to this file"),
            .meaning = "The switches, the cables among them and the nodes on them, as `strata topo --ibnetdiscover` "
                       "writes them.",
            .example = "file: fabric.txt",
            .missing = "give the fabric's file, for example fabric.txt"},
           [](const YamlReader& at, SwitchesIn& in) { in.file = at.folder() / at.text(); }},
          {{.name = "levels",
            .value = Value::list(Value::text()),
            .meaning = "Names of the groups of nodes: those of a leaf switch, of a pod, and so on. Left out: "
                       "`Switch`, `Switch 2`, ...",
            .example = "levels: [Switch, Pod]"},
           [](const YamlReader& at, SwitchesIn& in) {
             for (const YamlReader& item : at.items()) in.levels.push_back(item.text());
           }},
          routing_key<SwitchesIn>(false)};
}

SwitchesShape read_switches(const YamlReader& switches, const LevelNames& inside) {
  SwitchesIn in;
  read_keys(switches, switches_keys(), in);
  SwitchesShape shape{SwitchNetwork(read_switch_graph(in.file)), in.levels};
  const int levels = shape.network.num_levels();
  if (!switches.has("levels")) shape.levels = usual_level_names(levels);
  if (static_cast<int>(shape.levels.size()) != levels) {
    switches.at("levels").fail("has " + std::to_string(in.levels.size()) + " names",
                               "give one for each level of groups: " + std::to_string(levels));
  }
  std::set<std::string> names;
  for (const std::string& name : shape.levels) {
    require_own_name(switches, "levels", name, inside, names);
    names.insert(name);
  }
  return shape;
}

// The network of a machine: nodes and groups, or one of the fabrics.
Keys<GroupIn> network_keys() {
  const auto elsewhere = [](const YamlReader&, GroupIn&) {};  // read by read_network
  return {kNodes,
          kGroups,
          {{.name = "torus",
            .value = Value::mapping("Torus", [] { return rows_of(torus_keys()); }),
            .meaning = "The nodes are connected by a torus, instead of `nodes` and `groups`.",
            .example = "torus: {dims: [8, 8, 8], nodes_per_router: 2}"},
           elsewhere},
          {{.name = "dragonfly",
            .value = Value::mapping("Dragonfly", [] { return rows_of(dragonfly_keys()); }),
            .meaning = "The nodes are connected by a dragonfly whose routers of a row, and of a column, are all "
                       "connected, instead of `nodes` and `groups`.",
            .example = "dragonfly: {groups: 2, rows: 6, columns: 16, nodes_per_router: 4, global_links: 8}"},
           elsewhere},
          {{.name = "fat_tree",
            .value = Value::mapping("Fat tree", [] { return rows_of(fat_tree_keys()); }),
            .meaning = "The nodes are connected by a fat tree: levels of switches, each connected with several of the "
                       "level above, instead of `nodes` and `groups`.",
            .example = "fat_tree: {down: [24, 18], up: [12], cables: [2]}"},
           elsewhere},
          {{.name = "switches",
            .value = Value::mapping("Switches", [] { return rows_of(switches_keys()); }),
            .meaning = "The nodes are connected by the switches and cables of a file, regular or not, instead of "
                       "`nodes` and `groups`.",
            .example = "switches: {file: fabric.txt}"},
           elsewhere}};
}

KeyOf<FabricNetwork> link_key(const std::string& kind, const std::string& meaning) {
  return {{.name = kind, .value = figure_value("bandwidth"), .meaning = meaning},
          [](const YamlReader& at, FabricNetwork& fabric) { fabric.links.push_back(read_figure(at, "bandwidth")); }};
}

Keys<FabricNetwork> common_fabric_keys() {
  return {figure_key({.name = "hop_latency",
                      .value = {},
                      .meaning = "What each link from router to router adds to the latency of a message's level.",
                      .missing = "add it"},
                     &FabricNetwork::hop_latency, "time"),
          figure_key({.name = "injection",
                      .value = {},
                      .meaning = "What the link from a node to its router carries, and the one back: all messages "
                                 "between this node and others share it, whatever their level.",
                      .missing = "add it"},
                     &FabricNetwork::injection, "bandwidth")};
}

// The key for a list with a figure for each kind of link.
KeyOf<FabricNetwork> links_key(const std::string& meaning, const std::string& of_each) {
  const std::string remedy = "give a figure for " + of_each;
  return {{.name = "links", .value = Value::list(figure_value("bandwidth")), .meaning = meaning, .missing = remedy},
          [remedy](const YamlReader& at, FabricNetwork& fabric) {
            const std::vector<YamlReader> links = at.items();
            const size_t kinds = fabric.fabric->kinds().size();
            if (links.size() != kinds) {
              at.fail("has " + std::to_string(links.size()) + " figures", remedy + ": " + std::to_string(kinds));
            }
            for (const YamlReader& item : links) fabric.links.push_back(read_figure(item, "bandwidth"));
          }};
}

Keys<FabricNetwork> torus_cost_keys() {
  Keys<FabricNetwork> keys = common_fabric_keys();
  keys.push_back(links_key("What a link along each dimension carries, each way: a figure for each dimension.",
                           "the links along each dimension"));
  return keys;
}

Keys<FabricNetwork> fat_tree_cost_keys() {
  Keys<FabricNetwork> keys = common_fabric_keys();
  keys.push_back(links_key("What a cable carries, each way: a figure for those up from the switches of each level.",
                           "the cables up from each level"));
  return keys;
}

Keys<FabricNetwork> switches_cost_keys() {
  Keys<FabricNetwork> keys = common_fabric_keys();
  keys.push_back({{.name = "links",
                   .value = Value::by_name("kind of cables", figure_value("bandwidth")),
                   .meaning = "The bandwidth of a cable of each kind in the fabric's file, each way.",
                   .missing = "give a figure for each kind of cables"},
                  [](const YamlReader& at, FabricNetwork& fabric) {
                    const std::vector<std::string>& kinds = fabric.fabric->kinds();
                    at.only(std::vector<std::string_view>(kinds.begin(), kinds.end()));
                    for (const std::string& kind : kinds)
                      fabric.links.push_back(read_figure(at.at(kind, "say what such a cable carries"), "bandwidth"));
                  }});
  return keys;
}

Keys<FabricNetwork> dragonfly_cost_keys() {
  Keys<FabricNetwork> keys = common_fabric_keys();
  keys.push_back(link_key("row",
                          "What a link between two routers of a row carries, each way. Required where a row has "
                          "several routers."));
  keys.push_back(link_key("column",
                          "What a link between two rows of a group carries, each way. Required where a group "
                          "has several rows."));
  keys.push_back(link_key("global",
                          "What a link between two groups carries, each way. Required where there are "
                          "several groups."));
  return keys;
}

// --- writing -------------------------------------------------------------------------------------------------------

void emit_tree(YAML::Emitter& out, const NetworkGroup& group) {
  out << YAML::BeginMap;
  if (!group.level.empty()) out << YAML::Key << "level" << YAML::Value << YAML::DoubleQuoted << group.level;
  if (!group.groups.empty()) {
    out << YAML::Key << "groups" << YAML::Value << YAML::BeginSeq;
    for (const NetworkGroup& g : group.groups) emit_tree(out, g);
    out << YAML::EndSeq;
  }
  if (group.nodes > 0) out << YAML::Key << "nodes" << YAML::Value << group.nodes;
  out << YAML::EndMap;
}

void emit_name(YAML::Emitter& out, const char* key, const std::string& name) {
  out << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << name;
}

void emit_count(YAML::Emitter& out, const char* key, int count) { out << YAML::Key << key << YAML::Value << count; }

void emit_shape(YAML::Emitter& out, const TorusShape& shape) {
  out << YAML::Key << "dims" << YAML::Value << YAML::Flow << shape.dims;
  out << YAML::Key << "wrap" << YAML::Value << YAML::Flow << YAML::BeginSeq;
  for (const bool wraps : shape.wrap) out << wraps;
  out << YAML::EndSeq;
  emit_count(out, "nodes_per_router", shape.nodes_per_router);
  emit_name(out, "router", shape.router);
}

void emit_shape(YAML::Emitter& out, const DragonflyShape& shape) {
  emit_count(out, "groups", shape.groups);
  emit_count(out, "rows", shape.rows);
  emit_count(out, "columns", shape.columns);
  emit_count(out, "nodes_per_router", shape.nodes_per_router);
  emit_count(out, "global_links", shape.global_links);
  emit_name(out, "group", shape.group);
  emit_name(out, "row", shape.row);
  emit_name(out, "router", shape.router);
}

void emit_shape(YAML::Emitter& out, const FatTreeShape& shape) {
  out << YAML::Key << "down" << YAML::Value << YAML::Flow << shape.down;
  out << YAML::Key << "up" << YAML::Value << YAML::Flow << shape.up;
  out << YAML::Key << "cables" << YAML::Value << YAML::Flow << shape.cables;
  out << YAML::Key << "levels" << YAML::Value << YAML::Flow << YAML::BeginSeq;
  for (const std::string& level : shape.levels) out << YAML::DoubleQuoted << level;
  out << YAML::EndSeq;
}

void emit_shape(YAML::Emitter& out, const SwitchesShape& shape) {
  emit_name(out, "file", kFabricFile);
  out << YAML::Key << "levels" << YAML::Value << YAML::Flow << YAML::BeginSeq;
  for (const std::string& level : shape.levels) out << YAML::DoubleQuoted << level;
  out << YAML::EndSeq;
}

}  // namespace

Value network_value() {
  return Value::mapping("Network", [] { return rows_of(network_keys()); });
}

NetworkDescription read_network(const YamlReader& network, const LevelNames& inside) {
  GroupIn in{{}, inside};
  read_keys(network, network_keys(), in);
  const bool tree = network.has("nodes") || network.has("groups");
  const bool switches = network.has("switches");
  if (tree + network.has("torus") + network.has("dragonfly") + network.has("fat_tree") + switches > 1) {
    network.fail("mixes several kinds of network",
                 "give either `nodes` and `groups`, or `torus`, or `dragonfly`, or `fat_tree`, or `switches`");
  }
  NetworkDescription description;
  if (network.has("torus")) {
    const TorusShape shape = read_torus(network.at("torus"), inside);
    description.tree = tree_of(shape);
    description.fabric = FabricNetwork{.shape = shape, .fabric = make_torus(shape)};
    description.fabric->routing = read_routing(network.at("torus"));
  } else if (network.has("dragonfly")) {
    const DragonflyShape shape = read_dragonfly(network.at("dragonfly"), inside);
    description.tree = tree_of(shape);
    description.fabric = FabricNetwork{.shape = shape, .fabric = make_dragonfly(shape)};
    description.fabric->routing = read_routing(network.at("dragonfly"));
  } else if (network.has("fat_tree")) {
    const FatTreeShape shape = read_fat_tree(network.at("fat_tree"), inside);
    description.tree = tree_of(shape);
    description.fabric = FabricNetwork{.shape = shape, .fabric = make_fat_tree(shape)};
    description.fabric->routing = read_routing(network.at("fat_tree"));
  } else if (switches) {
    const SwitchesShape shape = read_switches(network.at("switches"), inside);
    description.tree = tree_of(shape);
    description.fabric = FabricNetwork{.shape = shape, .fabric = make_switches(shape)};
    description.fabric->routing = read_routing(network.at("switches"));
  } else {
    require_nodes(network, in.group);
    description.tree = in.group;
  }
  return description;
}

Value fabric_cost_value(const std::string& type) {
  if (type == "torus") return Value::mapping("Torus costs", [] { return rows_of(torus_cost_keys()); });
  if (type == "switches") return Value::mapping("Switches costs", [] { return rows_of(switches_cost_keys()); });
  if (type == "fat_tree") return Value::mapping("Fat tree costs", [] { return rows_of(fat_tree_cost_keys()); });
  return Value::mapping("Dragonfly costs", [] { return rows_of(dragonfly_cost_keys()); });
}

void read_fabric_costs(const YamlReader& at, FabricNetwork& fabric) {
  fabric.links.clear();
  if (fabric.is_torus()) return read_keys(at, torus_cost_keys(), fabric);
  if (fabric.type() == "fat_tree") return read_keys(at, fat_tree_cost_keys(), fabric);
  if (fabric.type() == "switches") return read_keys(at, switches_cost_keys(), fabric);
  // Only the kinds of links that exist, in the order of kinds().
  Keys<FabricNetwork> keys = common_fabric_keys();
  for (const std::string& kind : fabric.fabric->kinds()) {
    keys.push_back(link_key(kind, ""));
    keys.back().key.missing = "add it";
  }
  read_keys(at, keys, fabric);
}

void emit_network(YAML::Emitter& out, const NetworkGroup& tree, const std::optional<FabricNetwork>& fabric) {
  if (!fabric) return emit_tree(out, tree);
  out << YAML::BeginMap << YAML::Key << fabric->type() << YAML::Value << YAML::BeginMap;
  std::visit([&](const auto& shape) { emit_shape(out, shape); }, fabric->shape);
  if (fabric->routing != Routing::kMinimal) emit_name(out, "routing", word_of(kRoutingWords, fabric->routing));
  out << YAML::EndMap << YAML::EndMap;
}

void emit_fabric_costs(YAML::Emitter& out, const FabricNetwork& fabric) {
  out << YAML::Key << fabric.type() << YAML::Value << YAML::BeginMap;
  emit_figure(out, "hop_latency", fabric.hop_latency);
  emit_figure(out, "injection", fabric.injection);
  if (fabric.type() == "switches") {
    out << YAML::Key << "links" << YAML::Value << YAML::BeginMap;
    for (size_t k = 0; k < fabric.links.size(); ++k) emit_figure(out, fabric.fabric->kinds()[k], fabric.links[k]);
    out << YAML::EndMap;
  } else if (fabric.type() != "dragonfly") {
    out << YAML::Key << "links" << YAML::Value << YAML::BeginSeq;
    for (const Figure& f : fabric.links) emit_figure(out, f);
    out << YAML::EndSeq;
  } else {
    for (size_t k = 0; k < fabric.links.size(); ++k) emit_figure(out, fabric.fabric->kinds()[k], fabric.links[k]);
  }
  out << YAML::EndMap;
}

}  // namespace strata
