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
  std::optional<NetworkPorts> ports = {};  // of the whole network
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
  GroupIn in{.group = {}, .inside = inside};
  read_keys(at, group_keys(), in);
  require_nodes(at, in.group);
  return in.group;
}

Keys<NetworkPorts> port_keys() {
  return {{{.name = "at",
            .value = Value::list(Value::text("object of a node")),
            .meaning = "The ports, each by the object of the node to which it is attached, as hwloc numbers the "
                       "objects of its type. Several ports may be at one object.",
            .example = "at: [Package 0, Package 1]",
            .missing = "list the objects, for example `at: [Package 0, Package 1]`"},
           [](const YamlReader& at, NetworkPorts& ports) {
             for (const YamlReader& item : at.items()) ports.at.push_back(item.text());
             if (ports.at.empty()) at.fail("is empty", "leave `ports` out where a node has a single port");
           }},
          {{.name = "rule",
            .value = Value::word(names_of(kPortRules)),
            .meaning = "The port that a rank takes, by its core. `nearest`: the one with which it shares the innermost "
                       "object; cores with several nearest ones take turns. `turns`: core i of the node takes port i "
                       "mod n.",
            .usual = word_of(kPortRules, PortRule::kNearest)},
           [](const YamlReader& at, NetworkPorts& ports) { ports.rule = *find_word(kPortRules, at.text()); }}};
}

// The network of a machine: nodes and groups, or one of the fabrics, which read_network reads.
Keys<GroupIn> network_keys() {
  Keys<GroupIn> keys = {kNodes, kGroups};
  for (const FabricForm* form : fabric_forms()) keys.push_back({form->network_key, [](const YamlReader&, GroupIn&) {}});
  keys.push_back({{.name = "ports",
                   .value = Value::mapping("Ports of a node", [] { return rows_of(port_keys()); }),
                   .meaning = "The network ports of every node, if it has several: a card for each processor or GPU, "
                              "or two rails. `costs.ports` says what they carry. Left out: one port, whose bandwidth "
                              "is the `link_bandwidth` of the level above the nodes, or the `injection`.",
                   .example = "ports: {at: [Package 0, Package 1]}"},
                  [](const YamlReader& at, GroupIn& in) { read_keys(at, port_keys(), in.ports.emplace()); }});
  return keys;
}

// --- writing -------------------------------------------------------------------------------------------------------

// The pairs of a group's mapping.
void emit_tree(YAML::Emitter& out, const NetworkGroup& group) {
  if (!group.level.empty()) out << YAML::Key << "level" << YAML::Value << YAML::DoubleQuoted << group.level;
  if (!group.groups.empty()) {
    out << YAML::Key << "groups" << YAML::Value << YAML::BeginSeq;
    for (const NetworkGroup& g : group.groups) {
      out << YAML::BeginMap;
      emit_tree(out, g);
      out << YAML::EndMap;
    }
    out << YAML::EndSeq;
  }
  if (group.nodes > 0) out << YAML::Key << "nodes" << YAML::Value << group.nodes;
}

void emit_ports(YAML::Emitter& out, const NetworkPorts& ports) {
  out << YAML::Key << "ports" << YAML::Value << YAML::BeginMap;
  emit_names(out, "at", ports.at);
  if (ports.rule != PortRule::kNearest) emit_name(out, "rule", word_of(kPortRules, ports.rule));
  out << YAML::EndMap;
}

}  // namespace

Value network_value() {
  return Value::mapping("Network", [] { return rows_of(network_keys()); });
}

NetworkDescription read_network(const YamlReader& network, const LevelNames& inside) {
  GroupIn in{.group = {}, .inside = inside};
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
  description.ports = std::move(in.ports);
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

void emit_network(YAML::Emitter& out, const NetworkGroup& tree, const std::optional<FabricNetwork>& fabric,
                  const std::optional<NetworkPorts>& ports) {
  out << YAML::BeginMap;
  if (fabric) {
    out << YAML::Key << fabric->form().key << YAML::Value << YAML::BeginMap;
    fabric->form().emit(out, *fabric);
    if (fabric->routing != Routing::kMinimal) emit_name(out, "routing", word_of(kRoutingWords, fabric->routing));
    out << YAML::EndMap;
  } else {
    emit_tree(out, tree);
  }
  if (ports) emit_ports(out, *ports);
  out << YAML::EndMap;
}

}  // namespace strata
