// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/draw_json.h"

#include "platforms/draw_fold.h"
#include "platforms/fabric.h"
#include "platforms/fabric_ways.h"
#include "platforms/memory.h"
#include "platforms/node_names.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

const char* type_name(ObjectType type) {
  switch (type) {
    case ObjectType::kNetwork:
      return "Network";
    case ObjectType::kMachine:
      return "Machine";
    case ObjectType::kPackage:
      return "Package";
    case ObjectType::kDie:
      return "Die";
    case ObjectType::kGroup:
      return "Group";
    case ObjectType::kNumaNode:
      return "NUMANode";
    case ObjectType::kCache:
      return "Cache";
    case ObjectType::kCore:
      return "Core";
    case ObjectType::kPu:
      return "PU";
  }
  return "";
}

Json shape_json(const TorusShape& s) {
  return {{"dims", s.dims}, {"wrap", s.wrap}, {"nodes_per_router", s.nodes_per_router}, {"router", s.router}};
}

Json shape_json(const DragonflyShape& s) {
  return {{"groups", s.groups},
          {"rows", s.rows},
          {"columns", s.columns},
          {"nodes_per_router", s.nodes_per_router},
          {"global_links", s.global_links},
          {"group", s.group},
          {"row", s.row},
          {"router", s.router}};
}

Json shape_json(const FatTreeShape& s) {
  return {{"down", s.down}, {"up", s.up}, {"cables", s.cables}, {"levels", s.levels}};
}

Json shape_json(const SwitchesShape& s) {
  const SwitchGraph& graph = s.network.graph();
  int cables = 0;
  for (const SwitchGraph::Link& link : graph.links) cables += link.cables;
  return {{"switches", graph.switches.size()}, {"cables", cables}, {"levels", s.levels}};
}

Json fabric_costs_json(const FabricNetwork& fabric) {
  Json json = {{"hop_latency", figure_json(fabric.hop_latency)}, {"injection", figure_json(fabric.injection)}};
  for (size_t k = 0; k < fabric.links.size(); ++k) {
    const Json figure = figure_json(fabric.links[k]);
    if (fabric.type() == "switches") {
      json["links"][fabric.fabric->kinds()[k]] = figure;
    } else if (fabric.type() != "dragonfly") {
      json["links"].push_back(figure);
    } else {
      json[fabric.fabric->kinds()[k]] = figure;
    }
  }
  return json;
}

// Without the children.
Json vertex_json(const Topology& t, const Folding& folding, const std::vector<std::string>& names, int v) {
  Json json;
  json["type"] = type_name(t.type(v));
  json["name"] = t.name(v);
  const NodeObject* o = t.object(v);
  if (o == nullptr) {
    json["logical_index"] = folding.network_index(v);
    json["os_index"] = nullptr;
    json["cpuset"] = nullptr;
  } else {
    if (o->type == ObjectType::kMachine) {
      json["node"] = t.node(v);
      if (!names.empty()) json["host"] = names[t.node(v)];
    }
    json["logical_index"] = o->logical_index;
    json["os_index"] = o->os_index < 0 ? Json(nullptr) : Json(o->os_index);
    json["cpuset"] = o->cpuset.list();
    if (o->is_core) json["core"] = true;
    if (!o->note.empty()) json["note"] = o->note;
  }
  return json;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Without its last brace, so that more can follow.
std::string open_text_of(const Json& json) {
  std::string text = text_of(json);
  text.pop_back();
  return text;
}

void write_tree(const Topology& t, const Folding& folding, const std::vector<std::string>& names, int v,
                const PutText& put) {
  put(open_text_of(vertex_json(t, folding, names, v)) + ",\"children\":[");
  std::string_view separator;
  for (const int c : t.children(v)) {
    put(separator);
    write_tree(t, folding, names, c, put);
    separator = ",";
  }
  put("]}");
}

}  // namespace

Json network_json(const FabricNetwork& fabric) {
  Json shape = std::visit([](const auto& shape) { return shape_json(shape); }, fabric.shape);
  if (fabric.routing != Routing::kMinimal) shape["routing"] = word_of(kRoutingWords, fabric.routing);
  return {{fabric.type(), std::move(shape)}};
}

Json figure_json(const Figure& f) { return {{"value", f.value}, {"unit", f.unit}, {"source", f.source}, {"si", f.si}}; }

Json costs_json(const Machine& m) {
  Json json;
  json["core"] = {{"speed", figure_json(m.core_speed)},
                  {"copy_bandwidth", figure_json(m.copy_bandwidth)},
                  {"combine_bandwidth", figure_json(m.combine_bandwidth())}};
  json["eager_limit"] = figure_json(m.eager_limit);
  json["copies"] = figure_json(m.copies());
  if (m.memory) {
    json["memory"] = {{"bandwidth", figure_json(m.memory->bandwidth)},
                      {"combine_bandwidth", figure_json(memory_combine_bandwidth(*m.memory))},
                      {"cache_bandwidth", figure_json(cache_bandwidth(m))}};
  }
  if (m.fabric) json[m.fabric->type()] = fabric_costs_json(*m.fabric);
  json["levels"] = Json::array();
  for (const LevelCosts& c : m.levels) {
    json["levels"].push_back({{"level", c.level},
                              {"latency", figure_json(c.latency)},
                              {"overhead", figure_json(c.overhead)},
                              {"bandwidth", figure_json(c.bandwidth)},
                              {"link_bandwidth", figure_json(c.link_bandwidth)}});
    Json& level = json["levels"].back();
    for (const Segment& s : c.segments) {
      level["segments"].push_back({{"from", figure_json(s.from)},
                                   {"latency", figure_json(s.latency)},
                                   {"overhead", figure_json(s.overhead)},
                                   {"bandwidth", figure_json(s.bandwidth)}});
    }
    if (c.duplex_bandwidth) level["duplex_bandwidth"] = figure_json(*c.duplex_bandwidth);
    if (c.gap) level["gap"] = figure_json(*c.gap);
  }
  return json;
}

void write_json(const Machine& m, const PutText& put) {
  const Topology& t = *m.topology;
  Json json;
  json["schema"] = "strata.topo/1";
  json["machine"] = m.name;
  json["description"] = m.description;
  json["source"] = m.source;
  json["nodes"] = t.num_nodes();
  json["cores"] = t.cores().size();
  if (m.fabric) json["network"] = network_json(*m.fabric);
  put(open_text_of(json) + ",\"tree\":");
  write_tree(t, Folding(t), node_names(m), 0, put);
  put("," + text_of({{"costs", costs_json(m)}}).substr(1));
}

Json draw_json(const Machine& m) {
  std::string text;
  write_json(m, [&](std::string_view piece) { text += piece; });
  return Json::parse(text);
}

}  // namespace strata
