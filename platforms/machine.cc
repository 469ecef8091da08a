// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/machine.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "platforms/assumed_costs.h"
#include "platforms/error.h"
#include "platforms/fabric.h"
#include "platforms/figure_yaml.h"
#include "platforms/hostlist.h"
#include "platforms/hwloc_xml.h"
#include "platforms/input_file.h"
#include "platforms/isolated_import.h"
#include "platforms/machine_keys.h"
#include "platforms/nearest.h"
#include "platforms/network_yaml.h"
#include "platforms/segments.h"
#include "platforms/validation_yaml.h"
#include "platforms/yaml_reader.h"

namespace strata {
namespace {

constexpr const char* kSchema = "strata.machine/1";
constexpr const char* kWhatIf = "what if ";  // prefix of the source of a figure that what_if.h has changed

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

Keys<Machine> core_keys() {
  return {
      figure_key({.name = "speed",
                  .value = {},
                  .meaning = "What one core computes.",
                  .example = "speed: {value: 2.5, unit: Gflop/s, source: measured}",
                  .missing = "add it"},
                 &Machine::core_speed, "speed"),
      figure_key(
          {.name = "copy_bandwidth", .value = {}, .meaning = "What one core copies in memory.", .missing = "add it"},
          &Machine::copy_bandwidth, "bandwidth"),
      figure_key({.name = "combine_bandwidth",
                  .value = {},
                  .meaning = "How much of one operand a core combines with another (the operation of a "
                             "reduction). Left out: the copy bandwidth, for a combination reads two streams and "
                             "writes one, the traffic of a copy whose writes allocate their lines."},
                 &Machine::stated_combine_bandwidth, "bandwidth")};
}

Keys<MemoryCosts> memory_keys() {
  return {
      figure_key(
          {.name = "bandwidth",
           .value = {},
           .meaning = "What the memory of a NUMA node, or of a node without any, carries when enough cores copy: "
                      "bytes read plus bytes written, as STREAM counts a copy.",
           .example = "bandwidth: {value: 17.6, unit: GB/s, source: measured}",
           .missing = "add it, or leave `memory` out"},
          &MemoryCosts::bandwidth, "bandwidth"),
      figure_key({.name = "combine_bandwidth",
                  .value = {},
                  .meaning = "The same while cores combine (a daxpy): bytes of both operands read plus bytes written. "
                             "Left out: 1.5 times `bandwidth`, for a copy also reads the lines that it writes."},
                 &MemoryCosts::stated_combine_bandwidth, "bandwidth"),
      figure_key(
          {.name = "cache_bandwidth",
           .value = {},
           .meaning = "What one core moves while it computes on data that stay in its outermost cache: bytes read "
                      "plus bytes written. Left out: three times the core's `combine_bandwidth`, as from memory."},
          &MemoryCosts::cache_bandwidth, "bandwidth")};
}

Keys<Segment> segment_keys() {
  Keys<Segment> keys;
  for (const SegmentFigure& f : segment_figures()) {
    keys.push_back(
        figure_key({.name = f.name, .value = {}, .meaning = f.meaning, .missing = "add it"}, f.figure, f.dimension));
  }
  return keys;
}

void read_segments(const YamlReader& at, LevelCosts& costs) {
  for (const YamlReader& item : at.items()) {
    Segment s;
    read_keys(item, segment_keys(), s);
    if (!costs.segments.empty() && s.from.si <= costs.segments.back().from.si)
      item.at("from").fail("is not above that of the segment before", "give the segments by increasing `from`");
    if (s.overhead.si > s.latency.si)
      item.at("overhead").fail("is longer than the latency, which includes it", "give at most the latency");
    costs.segments.push_back(std::move(s));
  }
}

Keys<LevelCosts> level_keys() {
  Keys<LevelCosts> keys = {{{.name = "level",
                             .value = Value::text(),
                             .meaning = "The level of the tree at which the cores of these messages meet.",
                             .example = "level: Package",
                             .missing = "add it"},
                            [](const YamlReader& at, LevelCosts& costs) { costs.level = at.text(); }}};
  for (const LevelFigure& f : level_figures()) {
    keys.push_back(
        figure_key({.name = f.name, .value = {}, .meaning = f.meaning, .missing = f.is_of_links ? "" : "add it"},
                   f.figure, f.dimension));
  }
  keys.push_back(
      {{.name = "segments",
        .value = Value::list(Value::mapping("Segment", [] { return rows_of(segment_keys()); })),
        .meaning = "Figures of longer messages, which take another protocol: each item holds from its `from` "
                   "up to that of the next. The level's own hold for shorter ones."},
       read_segments});
  keys.push_back(
      figure_key({.name = "duplex_bandwidth",
                  .value = {},
                  .meaning = "Total capacity of the link up and the link down of a child of this level together, "
                             "where that is less than both. At the levels of a torus or dragonfly: what goes "
                             "in and out of a node, if all of it is messages of this level."},
                 &LevelCosts::duplex_bandwidth, "bandwidth"));
  keys.push_back(figure_key({.name = "gap",
                             .value = {},
                             .meaning = "Only of levels of the network: messages of this level leave a node one after "
                                        "another, at least this long apart, however short they are (g of LogP, of a "
                                        "whole node)."},
                            &LevelCosts::gap, "time"));
  return keys;
}

// Checks segments, bandwidth of both directions together, and gap. Needs the link's bandwidth.
void check_level(const YamlReader& item, const Machine& m, const LevelCosts& c) {
  const bool injected = m.shares_injection(c.level);
  const std::string link = injected ? "costs." + m.fabric->type() + ".injection" : "the level's `link_bandwidth`";
  for (size_t i = 0; i < c.segments.size(); ++i) {
    if (c.segments[i].bandwidth.si > c.link_bandwidth.si)
      item.at("segments").items()[i].at("bandwidth").fail("is more than the link carries", "give at most " + link);
  }
  if (c.duplex_bandwidth && c.duplex_bandwidth->si < widest_bandwidth(c))
    item.at("duplex_bandwidth").fail("is less than what one message gets", "give at least the level's `bandwidth`");
  if (c.duplex_bandwidth && c.duplex_bandwidth->si > 2 * c.link_bandwidth.si)
    item.at("duplex_bandwidth").fail("is more than the links up and down carry", "give at most twice " + link);
  if (c.gap && !is_network_level(m, c.level))
    item.at("gap").fail("is between messages that leave a node, and '" + c.level + "' is inside one", "leave it out");
}

// "fat tree" for fat_tree.
std::string noun_of(std::string type) {
  std::replace(type.begin(), type.end(), '_', ' ');
  return type;
}

// Reads one item of costs.levels.
LevelCosts read_level(const YamlReader& item, const Machine& m, const std::vector<std::string>& needed) {
  LevelCosts c;
  read_keys(item, level_keys(), c);
  const bool injected = m.shares_injection(c.level);
  if (injected && item.has("link_bandwidth")) {
    item.at("link_bandwidth")
        .fail("no link leads up to '" + c.level + "' of a " + noun_of(m.fabric->type()),
              "leave it out: costs." + m.fabric->type() + " says what links carry");
  }
  const Topology& t = *m.topology;
  bool present = false;
  for (int v = 0; v < t.num_vertices() && !present; ++v) present = t.name(v) == c.level;
  if (!present) {
    item.at("level").fail("unknown level '" + c.level + "'",
                          fmt::format("cores of this machine meet at {}", fmt::join(needed, ", ")));
  }
  for (const LevelCosts& other : m.levels) {
    if (other.level == c.level) item.at("level").fail("duplicate level '" + c.level + "'", "keep one");
  }
  if (injected) {
    c.link_bandwidth = m.fabric->injection;
  } else {
    item.at("link_bandwidth", "add it");
  }
  if (c.overhead.si > c.latency.si) {
    item.at("overhead").fail("is longer than the latency, which includes it", "give at most the latency");
  }
  if (injected && c.link_bandwidth.si < c.bandwidth.si) {
    item.at("bandwidth")
        .fail("is more than the injection of a node", "give at most costs." + m.fabric->type() + ".injection");
  }
  if (c.link_bandwidth.si < c.bandwidth.si) {
    item.at("link_bandwidth").fail("is less than what one message gets", "give at least the level's `bandwidth`");
  }
  check_level(item, m, c);
  return c;
}

void read_levels(const YamlReader& levels, Machine& m) {
  const std::vector<std::string> needed = branching_levels(*m.topology);
  for (const YamlReader& item : levels.items()) m.levels.push_back(read_level(item, m, needed));
  for (const std::string& name : needed) {
    const bool found =
        std::any_of(m.levels.begin(), m.levels.end(), [&](const LevelCosts& c) { return c.level == name; });
    if (!found) {
      levels.fail("no figures for level '" + name + "', at which cores of this machine meet",
                  "add `- level: " + name + "` with latency, overhead" +
                      (m.shares_injection(name) ? " and bandwidth" : ", bandwidth and link_bandwidth"));
    }
  }
}

KeyOf<Machine> fabric_cost_key(const std::string& type) {
  const std::string article = type == "switches" ? "" : "a ";
  return {{.name = type,
           .value = fabric_cost_value(type),
           .meaning = "What the links of " + article + noun_of(type) + " cost. Required where the network is one."},
          [](const YamlReader& at, Machine& m) { read_fabric_costs(at, *m.fabric); }};
}

Keys<Machine> cost_keys() {
  return {
      {{.name = "core",
        .value = Value::mapping("Core", [] { return rows_of(core_keys()); }),
        .meaning = "What computing and copying cost.",
        .missing = "give the core's `speed` and `copy_bandwidth`"},
       [](const YamlReader& at, Machine& m) { read_keys(at, core_keys(), m); }},
      figure_key({.name = "eager_limit",
                  .value = {},
                  .meaning = "Longer messages wait for their receiver (rendezvous).",
                  .example = "eager_limit: {value: 4, unit: KiB, source: measured}",
                  .missing = "add it"},
                 &Machine::eager_limit, "size"),
      figure_key({.name = "copies",
                  .value = {},
                  .meaning = "How many cores a message above the eager limit within a node takes while it is "
                             "copied: 1, the receiver's, straight from the sender's memory (CMA, XPMEM, threads of "
                             "one process); or 2, the sender's and the receiver's at the same time, through a "
                             "segment that they share. Left out: 1."},
                 &Machine::stated_copies, "copies"),
      {{.name = "polling",
        .value = figure_value("time"),
        .meaning = "What a progress thread's look at one message takes of its core. No source is known, so a machine "
                   "does not state it: a what-if does, and this is how results keep it."},
       [](const YamlReader& at, Machine& m) {
         m.polling = read_figure(at, "time");
         if (m.polling->source.find(kWhatIf) == std::string::npos) {
           at.fail("no machine may state it, because no measurement of it is known",
                   "leave it out, or try a value: --set what_if.polling=0.1us");
         }
       }},
      {{.name = "memory",
        .value = Value::mapping("Memory", [] { return rows_of(memory_keys()); }),
        .meaning = "The memory that cores share. Large messages, copies and streaming computations get at most their "
                   "share of it, unless their data stay in a cache. Left out: memory is never a bottleneck."},
       [](const YamlReader& at, Machine& m) { read_keys(at, memory_keys(), m.memory.emplace()); }},
      fabric_cost_key("torus"),
      fabric_cost_key("dragonfly"),
      fabric_cost_key("fat_tree"),
      fabric_cost_key("switches"),
      {{.name = "levels",
        .value = Value::list(Value::mapping("Level", [] { return rows_of(level_keys()); })),
        .meaning = "What messages cost: an item for each level at which the paths of two cores meet.",
        .missing = "give the figures of every level"},
       read_levels}};
}

void read_costs(const YamlReader& at, Machine& m) {
  Keys<Machine> keys = cost_keys();
  const std::string fabric = m.fabric ? m.fabric->type() : "";
  std::erase_if(keys, [&](const KeyOf<Machine>& k) {
    const std::string& name = k.key.name;
    return (name == "torus" || name == "dragonfly" || name == "fat_tree" || name == "switches") && name != fabric;
  });
  for (KeyOf<Machine>& k : keys) {
    if (k.key.name == fabric)
      k.key.missing = "give the " + noun_of(fabric) + "'s hop_latency, injection and what its links carry";
    if (k.key.name == "levels")
      k.key.missing = fmt::format("give the figures of {}", fmt::join(branching_levels(*m.topology), ", "));
  }
  read_keys(at, keys, m);
}

std::shared_ptr<const NodeTree> import_source(const NodeSource& source, NodeImport how) {
  const auto import = [&source] {
    return source.synthetic.empty() ? import_node_xml(source.xml.string()) : import_node_synthetic(source.synthetic);
  };
  if (how == NodeImport::kDirect) return import();
  const bool xml = source.synthetic.empty();
  return import_isolated(import, xml ? source.xml.string() : "synthetic description '" + source.synthetic + "'");
}

// The inside of each node. Nodes with the same source share it.
std::vector<std::shared_ptr<const NodeTree>> import_kinds(const std::vector<NodesOfAKind>& kinds, NodeImport how) {
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const NodeTree>> known;
  std::vector<std::shared_ptr<const NodeTree>> nodes;
  for (const NodesOfAKind& kind : kinds) {
    std::shared_ptr<const NodeTree>& tree = known[{kind.source.xml.string(), kind.source.synthetic}];
    if (tree == nullptr) tree = import_source(kind.source, how);
    nodes.insert(nodes.end(), kind.count, tree);
  }
  return nodes;
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
        .value = Value::mapping("Costs", [] { return rows_of(cost_keys()); }),
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

void emit_segments(YAML::Emitter& out, const std::vector<Segment>& segments) {
  if (segments.empty()) return;
  out << YAML::Key << "segments" << YAML::Value << YAML::BeginSeq;
  for (const Segment& s : segments) {
    out << YAML::BeginMap;
    for (const SegmentFigure& f : segment_figures()) emit_figure(out, f.name, s.*f.figure);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq;
}

void emit_source(YAML::Emitter& out, const NodeSource& source, const std::string& file) {
  if (source.synthetic.empty()) {
    out << YAML::Key << "xml" << YAML::Value << file;
  } else {
    out << YAML::Key << "synthetic" << YAML::Value << YAML::DoubleQuoted << source.synthetic;
  }
}

// Without `validation`: only what affects results.
std::string to_yaml(const Machine& m, bool validation) {
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
  emit_network(out, m.network, m.fabric);
  out << YAML::Key << "costs" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "core" << YAML::Value << YAML::BeginMap;
  emit_figure(out, "speed", m.core_speed);
  emit_figure(out, "copy_bandwidth", m.copy_bandwidth);
  if (m.stated_combine_bandwidth) emit_figure(out, "combine_bandwidth", *m.stated_combine_bandwidth);
  out << YAML::EndMap;
  emit_figure(out, "eager_limit", m.eager_limit);
  if (m.stated_copies) emit_figure(out, "copies", *m.stated_copies);
  if (m.polling) emit_figure(out, "polling", *m.polling);
  if (m.memory) {
    out << YAML::Key << "memory" << YAML::Value << YAML::BeginMap;
    emit_figure(out, "bandwidth", m.memory->bandwidth);
    if (m.memory->stated_combine_bandwidth) {
      emit_figure(out, "combine_bandwidth", *m.memory->stated_combine_bandwidth);
    }
    if (m.memory->cache_bandwidth) emit_figure(out, "cache_bandwidth", *m.memory->cache_bandwidth);
    out << YAML::EndMap;
  }
  if (m.fabric) emit_fabric_costs(out, *m.fabric);
  out << YAML::Key << "levels" << YAML::Value << YAML::BeginSeq;
  for (const LevelCosts& c : m.levels) {
    out << YAML::BeginMap << YAML::Key << "level" << YAML::Value << YAML::DoubleQuoted << c.level;
    for (const LevelFigure& f : level_figures()) {
      if (!f.is_of_links || !m.shares_injection(c.level)) emit_figure(out, f.name, c.*f.figure);
    }
    emit_segments(out, c.segments);
    if (c.duplex_bandwidth) emit_figure(out, "duplex_bandwidth", *c.duplex_bandwidth);
    if (c.gap) emit_figure(out, "gap", *c.gap);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::EndMap;
  if (validation) emit_validation(out, m.validation);
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

std::string read_file(const std::filesystem::path& path) { return read_input(path, "check the file"); }

// The nodes' XML files: contents by name in the machine's folder.
std::map<std::string, std::string> node_xmls(const Machine& m) {
  std::map<std::string, std::string> xmls;
  const std::vector<std::string> files = node_files(m);
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i].empty() || xmls.contains(files[i])) continue;
    xmls[files[i]] = read_file(m.kinds.empty() ? m.node.xml : m.kinds[i].source.xml);
  }
  return xmls;
}

// A full disk must not leave half a file where a whole one was: results depend on their machine's files.
void write_file(const std::filesystem::path& path, const std::string& bytes) {
  const std::filesystem::path temporary = path.string() + ".new";
  errno = 0;
  std::ofstream out(temporary, std::ios::binary);
  out << bytes;
  out.close();
  std::error_code error(errno, std::generic_category());
  if (out) std::filesystem::rename(temporary, path, error);
  if (out && !error) return;
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  throw InputError(path.string(), "cannot be written: " + error.message(), "check the disk");
}

}  // namespace

Figure Machine::combine_bandwidth() const {
  if (stated_combine_bandwidth) return *stated_combine_bandwidth;
  Figure f = copy_bandwidth;
  f.source = "assumed: as copy_bandwidth, for it moves as many bytes";
  return f;
}

Figure Machine::copies() const {
  return stated_copies.value_or(
      Figure{1, "copies", "assumed: only the receiver copies, since the machine states nothing else", 1});
}

const LevelCosts* Machine::costs_at(int vertex) const {
  const std::string& name = topology->name(vertex);
  for (const LevelCosts& c : levels) {
    if (c.level == name) return &c;
  }
  return nullptr;
}

bool Machine::shares_injection(const std::string& level) const {
  if (!fabric) return false;
  const Topology& t = *topology;
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (t.name(v) == level) return is_in_fabric(v);
  }
  return false;
}

const LevelCosts* Machine::innermost_costs(int core_vertex) const {
  for (int v = topology->parent(core_vertex); v >= 0; v = topology->parent(v)) {
    if (const LevelCosts* c = costs_at(v)) return c;
  }
  return nullptr;
}

Seconds Machine::loopback_latency(int core_vertex) const {
  const LevelCosts* c = innermost_costs(core_vertex);
  return Seconds(c == nullptr ? 0 : c->latency.si);
}

BytesPerSecond Machine::loopback_bandwidth(int core_vertex) const {
  const LevelCosts* c = innermost_costs(core_vertex);
  return BytesPerSecond(std::max(copy_bandwidth.si, c == nullptr ? 0 : widest_bandwidth(*c)));
}

const std::array<LevelFigure, 4>& level_figures() {
  static const std::array<LevelFigure, 4> all = {
      LevelFigure{"latency", &LevelCosts::latency, "time",
                  "Half a ping-pong of an empty message, the send overhead included (alpha of Hockney's model).",
                  false},
      LevelFigure{"overhead", &LevelCosts::overhead, "time",
                  "The part of the latency that keeps the sender's core busy (o of LogP).", false},
      LevelFigure{"bandwidth", &LevelCosts::bandwidth, "bandwidth",
                  "What one message gets (1/beta of Hockney's model).", false},
      LevelFigure{"link_bandwidth", &LevelCosts::link_bandwidth, "bandwidth",
                  "What the link up, and the link down, of each child of this level carries in total. Required, except "
                  "at the levels of a torus, dragonfly, fat tree or network of switches, which have none: their links "
                  "are the fabric's.",
                  true}};
  return all;
}

const std::array<SegmentFigure, 4>& segment_figures() {
  static const std::array<SegmentFigure, 4> all = {
      SegmentFigure{"from", &Segment::from, "size", "The least payload of these messages."},
      SegmentFigure{"latency", &Segment::latency, "time",
                    "The time of a message less that of its bytes at `bandwidth`; the send overhead included."},
      SegmentFigure{"overhead", &Segment::overhead, "time",
                    "The part of the latency that keeps the sender's core busy."},
      SegmentFigure{"bandwidth", &Segment::bandwidth, "bandwidth", "The bandwidth of one message alone."}};
  return all;
}

bool is_network_level(const Machine& machine, const std::string& level) {
  const Topology& t = *machine.topology;
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (t.name(v) == level) return t.type(v) == ObjectType::kNetwork;
  }
  return false;
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

Machine machine_from_xml(const std::filesystem::path& xml, int nodes) {
  if (nodes < 1 || nodes > kMaxNodes) {
    throw InputError("--nodes", std::to_string(nodes) + " nodes", "give 1 to " + std::to_string(kMaxNodes));
  }
  Machine m;
  m.name = xml.stem().string() + "-x" + std::to_string(nodes);
  m.description = std::to_string(nodes) + " nodes of " + xml.filename().string() + " under one switch";
  m.source = "made on the spot, costs assumed";
  m.node.xml = xml;
  m.network.nodes = nodes;
  m.topology = flat_cluster(import_source(m.node, NodeImport::kIsolated), nodes);
  assume_costs(m);
  return m;
}

Machine machine_from_tree(const std::string& line) {
  Machine m;
  TreeLine tree = parse_tree_line(line);
  m.network = std::move(tree.network);
  m.node.synthetic = std::move(tree.node);
  m.topology = std::make_shared<const Topology>(
      m.network, std::vector(m.network.count_nodes(), import_source(m.node, NodeImport::kIsolated)));
  m.name = line;
  m.description = "the tree '" + line + "'";
  m.source = "made on the spot, costs assumed";
  assume_costs(m);
  return m;
}

Machine machine_on_network(const std::vector<NodesOfAKind>& nodes, NetworkGroup network,
                           std::optional<FabricNetwork> fabric, const Machine* costs) {
  Machine m;
  m.node = nodes.front().source;
  if (nodes.size() > 1) m.kinds = nodes;
  m.network = std::move(network);
  m.fabric = std::move(fabric);
  m.topology = std::make_shared<const Topology>(m.network, import_kinds(nodes, NodeImport::kIsolated));
  assume_network_costs(costs, m);
  return m;
}

std::vector<std::string> node_files(const Machine& machine) {
  if (machine.kinds.empty()) return {machine.node.synthetic.empty() ? "node.xml" : ""};
  std::vector<std::string> files;
  std::map<std::filesystem::path, std::string> known;
  for (const NodesOfAKind& kind : machine.kinds) {
    files.emplace_back();
    if (!kind.source.synthetic.empty()) continue;
    files.back() = known.emplace(kind.source.xml, fmt::format("node-{}.xml", known.size() + 1)).first->second;
  }
  return files;
}

void save_machine(const Machine& machine, const std::filesystem::path& folder) {
  const std::map<std::string, std::string> xmls = node_xmls(machine);  // read first: may be in this folder
  write_file(folder / "machine.yaml", to_yaml(machine, true));
  for (const auto& [name, bytes] : xmls) write_file(folder / name, bytes);
  const std::string fabric = machine.fabric ? machine.fabric->file_text() : "";
  if (!fabric.empty()) write_file(folder / kFabricFile, fabric);
}

std::string machine_hash(const Machine& machine) {
  std::string bytes = to_yaml(machine, false);
  for (const auto& [name, xml] : node_xmls(machine)) bytes += xml;
  if (machine.fabric) bytes += machine.fabric->file_text();
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  std::ostringstream text;
  text << std::hex << std::setfill('0') << std::setw(16) << hash.high64 << std::setw(16) << hash.low64;
  return text.str();
}

std::vector<std::string> catalog_names(const std::filesystem::path& catalog) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(catalog, error)) {
    if (std::filesystem::exists(entry.path() / "machine.yaml")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Machine find_machine(const std::string& spec, const std::filesystem::path& catalog) {
  const std::vector<std::string> names = catalog_names(catalog);
  if (std::find(names.begin(), names.end(), spec) != names.end()) return load_machine(catalog / spec / "machine.yaml");
  std::error_code ignored;
  if (std::filesystem::is_directory(spec, ignored)) return load_machine(std::filesystem::path(spec) / "machine.yaml");
  if (is_xml_file(spec)) {
    throw InputError(
        spec, "is XML, where a machine.yaml is expected",
        "give a node's hwloc XML with --xml FILE --nodes N, in a scenario as `machine: {xml: FILE, nodes: N}`");
  }
  if (std::filesystem::exists(spec, ignored)) return load_machine(spec);
  const std::string meant = did_you_mean(spec, names);
  throw InputError("machine '" + spec + "'", "is neither in the catalog nor a file",
                   !meant.empty()
                       ? meant + " `strata machines` lists all"
                       : fmt::format("the catalog has {}; or give --xml FILE --nodes N", fmt::join(names, ", ")));
}

}  // namespace strata
