// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/draw_json.h"

#include <optional>

#include "platforms/costs_tree.h"
#include "platforms/draw_fold.h"
#include "platforms/fabric_form.h"
#include "platforms/fabric_ways.h"
#include "platforms/machine_figures.h"
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
  Json shape = fabric.form().json(fabric);
  if (fabric.routing != Routing::kMinimal) shape["routing"] = word_of(kRoutingWords, fabric.routing);
  return {{fabric.form().key, std::move(shape)}};
}

Json figure_json(const Figure& f) {
  Json json = {{"value", f.value}, {"unit", f.unit}, {"source", f.source}, {"si", f.si}};
  if (f.plus_minus > 0) json["plus_minus"] = f.plus_minus;
  return json;
}

Json costs_json(const Machine& m) {
  return costs_tree(m, figures_of(m), [](const PlacedFigure& f) {
    const std::optional<Figure>& shown = f.stated || !f.is_listed_unstated ? f.stated : f.otherwise;
    return shown ? std::optional(figure_json(*shown)) : std::nullopt;
  });
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
  if (m.ports) json["ports"] = {{"at", m.ports->at}, {"rule", word_of(kPortRules, m.ports->rule)}};
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
