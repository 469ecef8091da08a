#include "platforms/network_yaml.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platforms/figure_yaml.h"

namespace strata {
namespace {

// As with nodes, a slip of the keyboard is refused, not tried.
constexpr std::int64_t kMaxLinks = 10'000'000;

// --- reading -------------------------------------------------------------------------------------------------------

// Costs go by the level's name: a level of the network must not be called like the root, like an object inside the
// nodes or like one of `others`.
bool is_own_name(const std::string& name, const NodeTree& node, const std::set<std::string>& others) {
  const auto is_called = [&](const NodeObject& o) { return o.name == name; };
  return name != kClusterName && !others.contains(name) &&
         std::none_of(node.objects().begin(), node.objects().end(), is_called);
}

constexpr const char* kNameOfAnother = "' is the name of another level of this machine";

// The name of a fabric's level, `usual` where none is given.
std::string read_name(const YamlReader& fabric, const std::string& key, const std::string& usual, const NodeTree& node,
                      const std::set<std::string>& others) {
  const std::string name = fabric.has(key) ? fabric.at(key).text() : usual;
  if (is_own_name(name, node, others)) return name;
  const YamlReader at = fabric.has(key) ? fabric.at(key) : fabric;
  at.fail("'" + name + kNameOfAnother, "give `" + key + ": NAME` with a name of its own");
}

NetworkGroup read_tree(const YamlReader& at, const NodeTree& node) {
  NetworkGroup group;
  if (at.has("level")) group.level = at.at("level").text();
  if (at.has("nodes")) group.nodes = static_cast<int>(at.at("nodes").integer(1, kMaxNodes));
  if (at.has("groups")) {
    for (const YamlReader& item : at.at("groups").items()) {
      item.only({"level", "nodes", "groups"});
      const YamlReader level = item.at("level", "name the level, for example `level: Switch`");
      if (!is_own_name(level.text(), node, {})) {
        level.fail("'" + level.text() + kNameOfAnother, "name it for example Switch");
      }
      group.groups.push_back(read_tree(item, node));
    }
  }
  if (group.nodes == 0 && group.groups.empty()) at.fail("has no nodes", "give `nodes: N` or `groups:`");
  return group;
}

int read_count(const YamlReader& at) { return static_cast<int>(at.integer(1, kMaxNodes)); }

void require_at_most(const YamlReader& at, std::int64_t n, std::int64_t most, const std::string& what) {
  if (n > most) at.fail("has " + std::to_string(n) + " " + what, "give at most " + std::to_string(most));
}

// Each factor is at most kMaxNodes: no product that goes on from a number within the limit overflows.
TorusShape read_torus(const YamlReader& torus, const NodeTree& node) {
  torus.only({"dims", "wrap", "nodes_per_router", "router"});
  TorusShape shape;
  const YamlReader dims = torus.at("dims", "give the routers along each dimension, for example [8, 8, 8]");
  std::int64_t nodes = 1, links = 0;
  const auto multiply = [&](int by) {
    nodes *= by;
    require_at_most(torus, nodes, kMaxNodes, "nodes");
  };
  for (const YamlReader& item : dims.items()) {
    shape.dims.push_back(read_count(item));
    multiply(shape.dims.back());
    links += 2;
  }
  if (shape.dims.empty() || shape.dims.size() > kMaxTorusDimensions) {
    dims.fail("has " + std::to_string(shape.dims.size()) + " dimensions",
              "give 1 to " + std::to_string(kMaxTorusDimensions));
  }
  require_at_most(torus, links * nodes, kMaxLinks, "links");
  shape.wrap.assign(shape.dims.size(), true);
  if (torus.has("wrap")) {
    const std::vector<YamlReader> wraps = torus.at("wrap").items();
    if (wraps.size() != shape.dims.size()) {
      torus.at("wrap").fail("has another length than dims",
                            "give true or false for each of the " + std::to_string(shape.dims.size()) + " dimensions");
    }
    for (size_t d = 0; d < wraps.size(); ++d) shape.wrap[d] = wraps[d].boolean();
  }
  if (torus.has("nodes_per_router")) shape.nodes_per_router = read_count(torus.at("nodes_per_router"));
  multiply(shape.nodes_per_router);
  shape.router = read_name(torus, "router", shape.router, node, {});
  return shape;
}

DragonflyShape read_dragonfly(const YamlReader& dragonfly, const NodeTree& node) {
  dragonfly.only({"groups", "rows", "columns", "nodes_per_router", "global_links", "group", "row", "router"});
  DragonflyShape shape;
  std::int64_t nodes = 1;
  const auto read = [&](const char* key, int& into) {
    into = read_count(dragonfly.at(key));
    nodes *= into;
    require_at_most(dragonfly, nodes, kMaxNodes, "nodes");
  };
  read("groups", shape.groups);
  read("rows", shape.rows);
  read("columns", shape.columns);
  const std::int64_t routers = nodes;
  if (dragonfly.has("nodes_per_router")) read("nodes_per_router", shape.nodes_per_router);
  if (shape.groups > 1 || dragonfly.has("global_links")) {
    shape.global_links = read_count(dragonfly.at("global_links", "say how many links connect any two groups"));
  }
  require_at_most(dragonfly, routers * (shape.columns - 1 + shape.rows - 1), kMaxLinks, "links within groups");
  const std::int64_t pairs = static_cast<std::int64_t>(shape.groups) * (shape.groups - 1);
  require_at_most(dragonfly, pairs, kMaxLinks, "pairs of groups");
  require_at_most(dragonfly, pairs * shape.global_links, kMaxLinks, "links between groups");
  std::set<std::string> names;
  for (const auto& [key, name] : {std::pair{"group", &shape.group}, {"row", &shape.row}, {"router", &shape.router}}) {
    *name = read_name(dragonfly, key, *name, node, names);
    names.insert(*name);
  }
  return shape;
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

}  // namespace

NetworkDescription read_network(const YamlReader& network, const NodeTree& node) {
  network.only({"nodes", "groups", "torus", "dragonfly"});
  const bool tree = network.has("nodes") || network.has("groups");
  if (tree + network.has("torus") + network.has("dragonfly") > 1) {
    network.fail("is of several kinds", "give either `nodes` and `groups`, or `torus`, or `dragonfly`");
  }
  NetworkDescription description;
  if (network.has("torus")) {
    const TorusShape shape = read_torus(network.at("torus"), node);
    description.tree = tree_of(shape);
    description.fabric = FabricNetwork{.shape = shape, .fabric = make_torus(shape)};
  } else if (network.has("dragonfly")) {
    const DragonflyShape shape = read_dragonfly(network.at("dragonfly"), node);
    description.tree = tree_of(shape);
    description.fabric = FabricNetwork{.shape = shape, .fabric = make_dragonfly(shape)};
  } else {
    description.tree = read_tree(network, node);
  }
  return description;
}

void read_fabric_costs(const YamlReader& costs, FabricNetwork& fabric) {
  const std::string type = fabric.type();
  const std::vector<std::string>& kinds = fabric.fabric->kinds();
  const YamlReader at = costs.at(type, "give the " + type + "'s hop_latency, injection and what its links carry");
  std::vector<std::string_view> keys = {"hop_latency", "injection"};
  if (fabric.is_torus()) {
    keys.push_back("links");
  } else {
    keys.insert(keys.end(), kinds.begin(), kinds.end());
  }
  at.only(keys);
  fabric.hop_latency = read_figure(at.at("hop_latency"), "time", 0);
  fabric.injection = read_figure(at.at("injection"), "bandwidth", 0);
  fabric.links.clear();
  if (!fabric.is_torus()) {
    for (const std::string& kind : kinds) fabric.links.push_back(read_figure(at.at(kind), "bandwidth", 0));
    return;
  }
  const std::string remedy = "give a figure for the links along each dimension: " + std::to_string(kinds.size());
  const std::vector<YamlReader> links = at.at("links", remedy).items();
  if (links.size() != kinds.size()) at.at("links").fail("has " + std::to_string(links.size()) + " figures", remedy);
  for (const YamlReader& item : links) fabric.links.push_back(read_figure(item, "bandwidth", 0));
}

void emit_network(YAML::Emitter& out, const NetworkGroup& tree, const std::optional<FabricNetwork>& fabric) {
  if (!fabric) return emit_tree(out, tree);
  out << YAML::BeginMap << YAML::Key << fabric->type() << YAML::Value << YAML::BeginMap;
  std::visit([&](const auto& shape) { emit_shape(out, shape); }, fabric->shape);
  out << YAML::EndMap << YAML::EndMap;
}

void emit_fabric_costs(YAML::Emitter& out, const FabricNetwork& fabric) {
  out << YAML::Key << fabric.type() << YAML::Value << YAML::BeginMap;
  emit_figure(out, "hop_latency", fabric.hop_latency);
  emit_figure(out, "injection", fabric.injection);
  if (fabric.is_torus()) {
    out << YAML::Key << "links" << YAML::Value << YAML::BeginSeq;
    for (const Figure& f : fabric.links) emit_figure(out, f);
    out << YAML::EndSeq;
  } else {
    for (size_t k = 0; k < fabric.links.size(); ++k) emit_figure(out, fabric.fabric->kinds()[k], fabric.links[k]);
  }
  out << YAML::EndMap;
}

}  // namespace strata
