// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/machine_yaml.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/yaml_reader.h"
#include "platforms/costs_yaml.h"
#include "platforms/hostlist.h"
#include "platforms/machine_keys.h"
#include "platforms/network_yaml.h"
#include "platforms/port_places.h"
#include "platforms/validation_yaml.h"

namespace strata {
namespace {

constexpr const char* kSchema = "strata.machine/1";

// --- reading -------------------------------------------------------------------------------------------------------

// State while reading a machine.yaml.
struct Reading {
  Machine machine;
  NodeImport how = NodeImport::kIsolated;
  std::vector<std::shared_ptr<const NodeTree>> inside = {};  // one for all nodes, or one for each
};

Keys<NodeSource> node_keys() {
  return {{{.name = "xml",
            .value = Value::text("path, relative to this file"),
            .meaning = "An hwloc XML file, as `lstopo --of xml` writes it.",
            .example = "xml: node.xml"},
           [](const YamlReader& at, NodeSource& node) { node.xml = at.folder() / at.text(); }},
          {{.name = "synthetic",
            .value = Value::text(),
            .meaning = "Instead of `xml`: a description as hwloc's synthetic topologies take it.",
            .example = "synthetic: \"pack:2 core:4\""},
           [](const YamlReader& at, NodeSource& node) { node.synthetic = at.text(); }}};
}

void require_one_source(const YamlReader& node) {
  if (node.has("xml") == node.has("synthetic")) node.fail("does not have exactly one of xml and synthetic", "give one");
}

void read_node(const YamlReader& node, Reading& r) {
  read_keys(node, node_keys(), r.machine.node);
  require_one_source(node);
  try {
    r.inside = {import_source(r.machine.node, r.how)};
  } catch (const InputError& e) {
    node.at(node.has("xml") ? "xml" : "synthetic").fail(e.what(), "");
  }
}

Keys<NodesOfAKind> kind_keys() {
  Keys<NodesOfAKind> keys = {
      {{.name = "count",
        .value = Value::whole(1, kMaxNodes),
        .meaning = "How many successive nodes have this inside.",
        .example = "count: 4",
        .missing = "say how many nodes there are"},
       [](const YamlReader& at, NodesOfAKind& kind) { kind.count = static_cast<int>(at.integer()); }},
      {{.name = "names",
        .value = Value::text("list of names"),
        .meaning =
            "The names of these nodes, as many as `count`, as Slurm writes lists. Hostfiles may use them. All items "
            "have names, or none.",
        .example = "names: \"gpu[01-04]\""},
       [](const YamlReader& at, NodesOfAKind& kind) { kind.names = at.text(); }}};
  for (const KeyOf<NodeSource>& k : node_keys()) {
    keys.push_back({k.key, [k](const YamlReader& at, NodesOfAKind& kind) { k.read(at, kind.source); }});
  }
  return keys;
}

// `known`: the names of earlier nodes.
void require_names(const YamlReader& item, const NodesOfAKind& kind, std::set<std::string>& known) {
  const YamlReader at = item.at("names");
  const std::vector<std::string> names = expand_hostlist(kind.names, at.where());
  if (static_cast<int>(names.size()) != kind.count) {
    at.fail(fmt::format("has {} names, and `count` is {}", names.size(), kind.count), "name each node once");
  }
  for (const std::string& name : names) {
    if (!known.insert(name).second) at.fail("'" + name + "' is the name of two nodes", "name each node once");
  }
}

void read_kinds(const YamlReader& nodes, Reading& r) {
  long count = 0;
  std::set<std::string> names;
  for (const YamlReader& item : nodes.items()) {
    NodesOfAKind kind{};
    read_keys(item, kind_keys(), kind);
    require_one_source(item);
    count += kind.count;
    if (count > kMaxNodes) nodes.fail("has more than " + std::to_string(kMaxNodes) + " nodes", "give fewer");
    if (item.has("names")) require_names(item, kind, names);
    if (item.has("names") ? names.size() != static_cast<size_t>(count) : !names.empty())
      item.fail("some nodes have names, and others have none", "give `names` to all items, or to none");
    r.machine.kinds.push_back(std::move(kind));
  }
  if (r.machine.kinds.empty()) nodes.fail("is empty", "give `node` where all nodes are alike");
  r.machine.node = r.machine.kinds.front().source;
  try {
    r.inside = import_kinds(r.machine.kinds, r.how);
  } catch (const InputError& e) {
    nodes.fail(e.what(), "");
  }
}

// Requires the same node names in `nodes` and in the file of the switches.
void require_same_names(const YamlReader& network, const Machine& m) {
  const auto* switches = m.fabric ? std::get_if<SwitchesShape>(&m.fabric->shape) : nullptr;
  if (switches == nullptr) return;
  auto node = switches->network.graph().nodes.begin();
  for (const NodesOfAKind& kind : m.kinds) {
    if (kind.names.empty()) return;
    for (const std::string& name : expand_hostlist(kind.names, "nodes")) {
      if (name != node->name) {
        network.fail(fmt::format("'{}' of `nodes` is '{}' in the file of the switches", name, node->name),
                     "give the nodes in the order in which `strata topo` shows those of the file");
      }
      ++node;
    }
  }
}

// Requires the objects of the ports in every node.
void require_objects(const YamlReader& at, const Machine& m) {
  const std::optional<MissingPort> missing = find_missing_port(*m.topology, *m.ports);
  if (!missing) return;
  at.items()[missing->port].fail(
      fmt::format("node {} has no '{}' with cores", missing->node, m.ports->at[missing->port]),
      "give an object as `strata topo --full` lists it, without L#: \"Package 0\"");
}

void read_network_and_tree(const YamlReader& network, Reading& r) {
  Machine& m = r.machine;
  if (r.inside.empty()) network.fail("nothing says what the nodes are", "give `node: {xml: node.xml}`");
  LevelNames inside;
  for (const NodeTree* last = nullptr; const auto& tree : r.inside) {
    if (tree.get() == last) continue;
    last = tree.get();
    for (const NodeObject& o : tree->objects()) inside.insert(o.name);
  }
  NetworkDescription description = read_network(network, inside);
  m.network = std::move(description.tree);
  m.fabric = std::move(description.fabric);
  const int nodes = m.network.count_nodes();
  if (nodes > kMaxNodes) {
    network.fail("has " + std::to_string(nodes) + " nodes", "give at most " + std::to_string(kMaxNodes));
  }
  if (m.kinds.empty()) r.inside.resize(nodes, r.inside.front());
  if (static_cast<int>(r.inside.size()) != nodes) {
    network.fail(fmt::format("has {} nodes, and `nodes` describes {}", nodes, r.inside.size()),
                 "describe each of them");
  }
  require_same_names(network, m);
  m.topology = std::make_shared<const Topology>(m.network, r.inside);
  m.ports = std::move(description.ports);
  if (m.ports) require_objects(network.at("ports").at("at"), m);
}

Keys<Reading> machine_table() {
  return {
      {{.name = "schema",
        .value = Value::word({kSchema}),
        .meaning = "The format of this file.",
        .missing = "begin with it"},
       [](const YamlReader&, Reading&) {}},
      {{.name = "name", .value = Value::text(), .meaning = "What results call the machine.", .missing = "add it"},
       [](const YamlReader& at, Reading& r) { r.machine.name = at.text(); }},
      {{.name = "description", .value = Value::text(), .meaning = "The machine in a sentence.", .missing = "add it"},
       [](const YamlReader& at, Reading& r) { r.machine.description = at.text(); }},
      {{.name = "source",
        .value = Value::text(),
        .meaning = "Where the description comes from.",
        .missing = "say where the description comes from"},
       [](const YamlReader& at, Reading& r) { r.machine.source = at.text(); }},
      {{.name = "node",
        .value = Value::mapping("Node", [] { return rows_of(node_keys()); }),
        .meaning = "The inside of every node: exactly one of its keys. Required, unless there is `nodes`.",
        .example = "node: {xml: node.xml}"},
       read_node},
      {{.name = "nodes",
        .value = Value::list(Value::mapping("Nodes", [] { return rows_of(kind_keys()); })),
        .meaning =
            "Instead of `node`, for nodes that differ: an item for successive nodes with one inside, in the order "
            "of the network.",
        .example = "nodes: [{count: 4, xml: gpu.xml}, {count: 16, xml: cpu.xml}]"},
       read_kinds},
      {{.name = "network",
        .value = network_value(),
        .meaning = "How the nodes are connected.",
        .example = "network: {nodes: 4}",
        .missing = "give `network: {nodes: 1}` for a single node"},
       read_network_and_tree},
      {{.name = "costs",
        .value = costs_value(),
        .meaning = "What computing and communicating cost, each figure with its unit and its source.",
        .missing = "a machine has costs: core, eager_limit and levels, each with unit and source"},
       [](const YamlReader& at, Reading& r) { read_costs(at, r.machine); }},
      {{.name = "validation",
        .value = validation_value(),
        .meaning = "How well the machine predicts measurements that no figure was fitted to, as `strata calibrate` "
                   "writes it. It changes no result."},
       [](const YamlReader& at, Reading& r) { r.machine.validation = read_validation(at); }}};
}

// --- writing -------------------------------------------------------------------------------------------------------

void emit_source(YAML::Emitter& out, const NodeSource& source, const std::string& file) {
  if (source.synthetic.empty()) {
    out << YAML::Key << "xml" << YAML::Value << file;
  } else {
    out << YAML::Key << "synthetic" << YAML::Value << YAML::DoubleQuoted << source.synthetic;
  }
}

}  // namespace

std::string machine_yaml(const Machine& m, bool validation) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  out << YAML::Key << "schema" << YAML::Value << kSchema;
  out << YAML::Key << "name" << YAML::Value << YAML::DoubleQuoted << m.name;
  out << YAML::Key << "description" << YAML::Value << YAML::DoubleQuoted << m.description;
  out << YAML::Key << "source" << YAML::Value << YAML::DoubleQuoted << m.source;
  const std::vector<std::string> files = node_files(m);
  if (m.kinds.empty()) {
    out << YAML::Key << "node" << YAML::Value << YAML::BeginMap;
    emit_source(out, m.node, files.front());
    out << YAML::EndMap;
  } else {
    out << YAML::Key << "nodes" << YAML::Value << YAML::BeginSeq;
    for (size_t i = 0; i < m.kinds.size(); ++i) {
      out << YAML::BeginMap << YAML::Key << "count" << YAML::Value << m.kinds[i].count;
      if (!m.kinds[i].names.empty()) {
        out << YAML::Key << "names" << YAML::Value << YAML::DoubleQuoted << m.kinds[i].names;
      }
      emit_source(out, m.kinds[i].source, files[i]);
      out << YAML::EndMap;
    }
    out << YAML::EndSeq;
  }
  out << YAML::Key << "network" << YAML::Value;
  emit_network(out, m.network, m.fabric, m.ports);
  out << YAML::Key << "costs" << YAML::Value;
  emit_costs(out, m);
  if (validation) emit_validation(out, m.validation);
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

std::vector<Key> machine_keys() { return rows_of(machine_table()); }

Machine load_machine(const std::filesystem::path& yaml, NodeImport how) {
  const YamlReader file(yaml.string(), load_yaml(yaml));
  require_schema(file, kSchema);
  Reading r;
  r.how = how;
  Keys<Reading> keys = machine_table();
  if (file.has("nodes") && file.has("node")) file.at("nodes").fail("goes without `node`", "keep one of the two");
  for (KeyOf<Reading>& k : keys) {
    if (k.key.name == "node" && !file.has("nodes"))
      k.key.missing = "give `xml: node.xml` or `synthetic: \"pack:2 core:4\"`";
  }
  read_keys(file, keys, r);
  return std::move(r.machine);
}

}  // namespace strata
