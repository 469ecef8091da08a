// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/network_yaml.h"

#include <algorithm>
#include <utility>

#include "platforms/fabric.h"
#include "platforms/fabric_ways.h"

namespace strata {
namespace {

// --- reading -------------------------------------------------------------------------------------------------------

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

// The network of a machine: nodes and groups, or one of the fabrics, which read_network reads.
Keys<GroupIn> network_keys() {
  Keys<GroupIn> keys = {kNodes, kGroups};
  for (const FabricForm* form : fabric_forms()) keys.push_back({form->network_key, [](const YamlReader&, GroupIn&) {}});
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

}  // namespace

Value network_value() {
  return Value::mapping("Network", [] { return rows_of(network_keys()); });
}

NetworkDescription read_network(const YamlReader& network, const LevelNames& inside) {
  GroupIn in{{}, inside};
  read_keys(network, network_keys(), in);
  int kinds = network.has("nodes") || network.has("groups") ? 1 : 0;
  const FabricForm* found = nullptr;
  for (const FabricForm* form : fabric_forms()) {
    if (!network.has(form->key)) continue;
    found = form;
    ++kinds;
  }
  if (kinds > 1) {
    network.fail("mixes several kinds of network",
                 "give either `nodes` and `groups`, or `torus`, or `dragonfly`, or `fat_tree`, or `switches`");
  }
  NetworkDescription description;
  if (found == nullptr) {
    require_nodes(network, in.group);
    description.tree = in.group;
  } else {
    description.fabric = found->read(network.at(found->key), inside);
    description.tree = std::visit([](const auto& shape) { return tree_of(shape); }, description.fabric->shape);
  }
  return description;
}

void read_fabric_costs(const YamlReader& at, FabricNetwork& fabric) {
  fabric.links.clear();
  Keys<FabricNetwork> keys = fabric.form().cost_keys();
  if (fabric.form().links == FabricForm::Links::kByKind) {
    // Only the kinds of links that exist, in the order of kinds().
    keys = common_fabric_keys();
    for (const std::string& kind : fabric.fabric->kinds()) {
      keys.push_back(link_key(kind, ""));
      keys.back().key.missing = "add it";
    }
  }
  read_keys(at, keys, fabric);
}

void emit_network(YAML::Emitter& out, const NetworkGroup& tree, const std::optional<FabricNetwork>& fabric) {
  if (!fabric) return emit_tree(out, tree);
  out << YAML::BeginMap << YAML::Key << fabric->form().key << YAML::Value << YAML::BeginMap;
  fabric->form().emit(out, *fabric);
  if (fabric->routing != Routing::kMinimal) emit_name(out, "routing", word_of(kRoutingWords, fabric->routing));
  out << YAML::EndMap << YAML::EndMap;
}

}  // namespace strata
