// SPDX-License-Identifier: LGPL-2.1-only
// A fat tree in machine.yaml and JSON: `fat_tree: {down: [24, 18], up: [12], cables: [2]}`.
#include <nlohmann/json.hpp>

#include "platforms/fabric.h"
#include "platforms/fabric_form.h"

namespace strata {
namespace {

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
      {routing_key(false), [](const YamlReader&, Shape&) {}}};
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
  require_own_names(tree, "levels", shape.levels, inside);
  return shape;
}

FabricNetwork read(const YamlReader& at, const LevelNames& inside) {
  const FatTreeShape shape = read_fat_tree(at, inside);
  return {.shape = shape, .fabric = make_fat_tree(shape), .routing = read_routing(at)};
}

Keys<FabricNetwork> fat_tree_cost_keys() {
  Keys<FabricNetwork> keys = common_fabric_keys();
  keys.push_back(links_key("What a cable carries, each way: a figure for those up from the switches of each level.",
                           "the cables up from each level"));
  return keys;
}

void emit(YAML::Emitter& out, const FabricNetwork& fabric) {
  const auto& shape = std::get<FatTreeShape>(fabric.shape);
  out << YAML::Key << "down" << YAML::Value << YAML::Flow << shape.down;
  out << YAML::Key << "up" << YAML::Value << YAML::Flow << shape.up;
  out << YAML::Key << "cables" << YAML::Value << YAML::Flow << shape.cables;
  emit_names(out, "levels", shape.levels);
}

nlohmann::ordered_json json(const FabricNetwork& fabric) {
  const auto& s = std::get<FatTreeShape>(fabric.shape);
  return {{"down", s.down}, {"up", s.up}, {"cables", s.cables}, {"levels", s.levels}};
}

}  // namespace

const FabricForm& fat_tree_form() {
  static const FabricForm form = {
      .key = "fat_tree",
      .noun = "fat tree",
      .with_article = "a fat tree",
      .links = FabricForm::Links::kList,
      .network_key =
          {.name = "fat_tree",
           .value = Value::mapping("Fat tree", [] { return rows_of(fat_tree_keys()); }),
           .meaning = "The nodes are connected by a fat tree: levels of switches, each connected with several of the "
                      "level above, instead of `nodes` and `groups`.",
           .example = "fat_tree: {down: [24, 18], up: [12], cables: [2]}"},
      .cost_value = Value::mapping("Fat tree costs", [] { return rows_of(fat_tree_cost_keys()); }),
      .read = read,
      .cost_keys = fat_tree_cost_keys,
      .emit = emit,
      .json = json};
  return form;
}

}  // namespace strata
