// SPDX-License-Identifier: LGPL-2.1-only
// Switches and cables of a file in machine.yaml and JSON: `switches: {file: fabric.txt, levels: [Switch]}`.
#include <nlohmann/json.hpp>
#include <string_view>

#include "platforms/fabric.h"
#include "platforms/fabric_form.h"

namespace strata {
namespace {

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
          {routing_key(false), [](const YamlReader&, SwitchesIn&) {}}};
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
  require_own_names(switches, "levels", shape.levels, inside);
  return shape;
}

FabricNetwork read(const YamlReader& at, const LevelNames& inside) {
  const SwitchesShape shape = read_switches(at, inside);
  return {.shape = shape, .fabric = make_switches(shape), .routing = read_routing(at)};
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

void emit(YAML::Emitter& out, const FabricNetwork& fabric) {
  const auto& shape = std::get<SwitchesShape>(fabric.shape);
  emit_name(out, "file", kFabricFile);
  emit_names(out, "levels", shape.levels);
}

nlohmann::ordered_json json(const FabricNetwork& fabric) {
  const auto& s = std::get<SwitchesShape>(fabric.shape);
  const SwitchGraph& graph = s.network.graph();
  int cables = 0;
  for (const SwitchGraph::Link& link : graph.links) cables += link.cables;
  return {{"switches", graph.switches.size()}, {"cables", cables}, {"levels", s.levels}};
}

}  // namespace

const FabricForm& switches_form() {
  static const FabricForm form = {
      .key = "switches",
      .noun = "switches",
      .with_article = "switches",
      .links = FabricForm::Links::kMapping,
      .network_key = {.name = "switches",
                      .value = Value::mapping("Switches", [] { return rows_of(switches_keys()); }),
                      .meaning =
                          "The nodes are connected by the switches and cables of a file, regular or not, instead of "
                          "`nodes` and `groups`.",
                      .example = "switches: {file: fabric.txt}"},
      .cost_value = Value::mapping("Switches costs", [] { return rows_of(switches_cost_keys()); }),
      .read = read,
      .cost_keys = switches_cost_keys,
      .emit = emit,
      .json = json};
  return form;
}

}  // namespace strata
