// SPDX-License-Identifier: LGPL-2.1-only
// A torus in machine.yaml and JSON: `torus: {dims: [8, 8, 8], wrap: [true, true, false], nodes_per_router: 2}`.
#include <nlohmann/json.hpp>

#include "platforms/fabric.h"
#include "platforms/fabric_form.h"

namespace strata {
namespace {

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
          {routing_key(true), [](const YamlReader&, TorusShape&) {}}};
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

FabricNetwork read(const YamlReader& at, const LevelNames& inside) {
  const TorusShape shape = read_torus(at, inside);
  return {.shape = shape, .fabric = make_torus(shape), .routing = read_routing(at)};
}

Keys<FabricNetwork> torus_cost_keys() {
  Keys<FabricNetwork> keys = common_fabric_keys();
  keys.push_back(links_key("What a link along each dimension carries, each way: a figure for each dimension.",
                           "the links along each dimension"));
  return keys;
}

void emit(YAML::Emitter& out, const FabricNetwork& fabric) {
  const auto& shape = std::get<TorusShape>(fabric.shape);
  out << YAML::Key << "dims" << YAML::Value << YAML::Flow << shape.dims;
  out << YAML::Key << "wrap" << YAML::Value << YAML::Flow << YAML::BeginSeq;
  for (const bool wraps : shape.wrap) out << wraps;
  out << YAML::EndSeq;
  emit_count(out, "nodes_per_router", shape.nodes_per_router);
  emit_name(out, "router", shape.router);
}

nlohmann::ordered_json json(const FabricNetwork& fabric) {
  const auto& s = std::get<TorusShape>(fabric.shape);
  return {{"dims", s.dims}, {"wrap", s.wrap}, {"nodes_per_router", s.nodes_per_router}, {"router", s.router}};
}

}  // namespace

const FabricForm& torus_form() {
  static const FabricForm form = {
      .key = "torus",
      .noun = "torus",
      .with_article = "a torus",
      .links = FabricForm::Links::kList,
      .network_key = {.name = "torus",
                      .value = Value::mapping("Torus", [] { return rows_of(torus_keys()); }),
                      .meaning = "The nodes are connected by a torus, instead of `nodes` and `groups`.",
                      .example = "torus: {dims: [8, 8, 8], nodes_per_router: 2}"},
      .cost_value = Value::mapping("Torus costs", [] { return rows_of(torus_cost_keys()); }),
      .read = read,
      .cost_keys = torus_cost_keys,
      .emit = emit,
      .json = json};
  return form;
}

}  // namespace strata
