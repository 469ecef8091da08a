// SPDX-License-Identifier: LGPL-2.1-only
// A dragonfly in machine.yaml and JSON: `dragonfly: {groups: 2, rows: 6, columns: 16, global_links: 8}`.
#include <nlohmann/json.hpp>
#include <utility>

#include "platforms/fabric.h"
#include "platforms/fabric_form.h"

namespace strata {
namespace {

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
          {routing_key(true), [](const YamlReader&, Shape&) {}}};
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

FabricNetwork read(const YamlReader& at, const LevelNames& inside) {
  const DragonflyShape shape = read_dragonfly(at, inside);
  return {.shape = shape, .fabric = make_dragonfly(shape), .routing = read_routing(at)};
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

void emit(YAML::Emitter& out, const FabricNetwork& fabric) {
  const auto& shape = std::get<DragonflyShape>(fabric.shape);
  emit_count(out, "groups", shape.groups);
  emit_count(out, "rows", shape.rows);
  emit_count(out, "columns", shape.columns);
  emit_count(out, "nodes_per_router", shape.nodes_per_router);
  emit_count(out, "global_links", shape.global_links);
  emit_name(out, "group", shape.group);
  emit_name(out, "row", shape.row);
  emit_name(out, "router", shape.router);
}

nlohmann::ordered_json json(const FabricNetwork& fabric) {
  const auto& s = std::get<DragonflyShape>(fabric.shape);
  return {{"groups", s.groups},
          {"rows", s.rows},
          {"columns", s.columns},
          {"nodes_per_router", s.nodes_per_router},
          {"global_links", s.global_links},
          {"group", s.group},
          {"row", s.row},
          {"router", s.router}};
}

}  // namespace

const FabricForm& dragonfly_form() {
  static const FabricForm form = {
      .key = "dragonfly",
      .noun = "dragonfly",
      .with_article = "a dragonfly",
      .links = FabricForm::Links::kByKind,
      .network_key = {.name = "dragonfly",
                      .value = Value::mapping("Dragonfly", [] { return rows_of(dragonfly_keys()); }),
                      .meaning =
                          "The nodes are connected by a dragonfly whose routers of a row, and of a column, are all "
                          "connected, instead of `nodes` and `groups`.",
                      .example = "dragonfly: {groups: 2, rows: 6, columns: 16, nodes_per_router: 4, global_links: 8}"},
      .cost_value = Value::mapping("Dragonfly costs", [] { return rows_of(dragonfly_cost_keys()); }),
      .read = read,
      .cost_keys = dragonfly_cost_keys,
      .emit = emit,
      .json = json};
  return form;
}

}  // namespace strata
