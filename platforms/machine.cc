#include "platforms/machine.h"

#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <set>
#include <sstream>
#include <utility>

#include "platforms/error.h"
#include "platforms/figure_yaml.h"
#include "platforms/hwloc_xml.h"
#include "platforms/isolated_import.h"
#include "platforms/network_yaml.h"
#include "platforms/yaml_reader.h"

namespace strata {
namespace {

constexpr const char* kSchema = "strata.machine/1";

// --- reading -------------------------------------------------------------------------------------------------------

// The levels at which cores meet: vertices with cores below at least two children.
std::vector<std::string> branching_levels(const Topology& t) {
  std::vector<std::string> names;
  for (int v = 0; v < t.num_vertices(); ++v) {
    int with_cores = 0;
    for (int c : t.children(v)) with_cores += t.num_cores(c) > 0 ? 1 : 0;
    if (with_cores >= 2 && std::find(names.begin(), names.end(), t.name(v)) == names.end()) names.push_back(t.name(v));
  }
  return names;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
  return text;
}

void read_costs(const YamlReader& costs, Machine& m) {
  std::vector<std::string_view> keys = {"core", "eager_limit", "copies", "levels"};
  const std::string fabric_type = m.fabric ? m.fabric->type() : "";
  if (m.fabric) keys.push_back(fabric_type);
  costs.only(keys);
  const YamlReader core = costs.at("core", "give the core's `speed` and `copy_bandwidth`");
  core.only({"speed", "copy_bandwidth", "combine_bandwidth"});
  m.core_speed = read_figure(core.at("speed"), "speed", 0);
  m.copy_bandwidth = read_figure(core.at("copy_bandwidth"), "bandwidth", 0);
  if (core.has("combine_bandwidth")) {
    m.stated_combine_bandwidth = read_figure(core.at("combine_bandwidth"), "bandwidth", 0);
  }
  m.eager_limit = read_figure(costs.at("eager_limit"), "size", 0);
  if (costs.has("copies")) m.stated_copies = read_figure(costs.at("copies"), "copies", 0);
  if (m.fabric) read_fabric_costs(costs, *m.fabric);
  const std::vector<std::string> needed = branching_levels(*m.topology);
  std::set<std::string> present;
  for (int v = 0; v < m.topology->num_vertices(); ++v) present.insert(m.topology->name(v));
  const YamlReader levels = costs.at("levels", "give the figures of " + join(needed));
  for (const YamlReader& item : levels.items()) {
    item.only({"level", "latency", "overhead", "bandwidth", "link_bandwidth"});
    LevelCosts c;
    c.level = item.at("level").text();
    const bool injected = m.shares_injection(c.level);
    if (injected && item.has("link_bandwidth")) {
      item.at("link_bandwidth")
          .fail("no link leads up to '" + c.level + "' of a " + fabric_type,
                "leave it out: costs." + fabric_type + " says what links carry");
    }
    if (present.count(c.level) == 0) {
      item.at("level").fail("unknown level '" + c.level + "'", "cores of this machine meet at " + join(needed));
    }
    for (const LevelCosts& other : m.levels) {
      if (other.level == c.level) item.at("level").fail("level '" + c.level + "' stands twice", "keep one");
    }
    c.latency = read_figure(item.at("latency"), "time", 0);
    c.overhead = read_figure(item.at("overhead"), "time", 0);
    c.bandwidth = read_figure(item.at("bandwidth"), "bandwidth", 0);
    c.link_bandwidth = injected ? m.fabric->injection : read_figure(item.at("link_bandwidth"), "bandwidth", 0);
    if (c.overhead.si > c.latency.si) {
      item.at("overhead").fail("is longer than the latency, which includes it", "give at most the latency");
    }
    if (injected && c.link_bandwidth.si < c.bandwidth.si) {
      item.at("bandwidth")
          .fail("is more than the injection of a node", "give at most costs." + fabric_type + ".injection");
    }
    if (c.link_bandwidth.si < c.bandwidth.si) {
      item.at("link_bandwidth").fail("is less than what one message gets", "give at least the level's `bandwidth`");
    }
    m.levels.push_back(c);
  }
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

std::shared_ptr<const NodeTree> import_source(const NodeSource& source, NodeImport how) {
  const auto import = [&source] {
    return source.synthetic.empty() ? import_node_xml(source.xml.string()) : import_node_synthetic(source.synthetic);
  };
  if (how == NodeImport::kDirect) return import();
  const bool xml = source.synthetic.empty();
  return import_isolated(import, xml ? source.xml.string() : "synthetic description '" + source.synthetic + "'");
}

// --- default costs -------------------------------------------------------------------------------------------------

struct DefaultCosts {
  double latency_us, overhead_us, bandwidth_gbs, link_gbs;
};

// Orders of magnitude of today's machines, for a first look at one without figures: a 100 Gb/s network, shared memory
// between sockets, within a socket, and among the cores of a cache.
constexpr DefaultCosts kDefaultNetwork{1.5, 0.5, 11, 12.5};
constexpr DefaultCosts kDefaultBetweenSockets{0.7, 0.3, 6, 40};
constexpr DefaultCosts kDefaultWithinSocket{0.5, 0.25, 8, 60};
constexpr DefaultCosts kDefaultWithinCache{0.3, 0.15, 10, 20};
constexpr const char* kWhyDefault = "assumed: default order of magnitude for a machine without figures of its own";

Figure assume(double value, const char* unit, const char* dimension) {
  return {value, unit, kWhyDefault, value * unit_factor(dimension, unit)};
}

DefaultCosts defaults_for(ObjectType type) {
  switch (type) {
    case ObjectType::kNetwork:
      return kDefaultNetwork;
    case ObjectType::kMachine:
      return kDefaultBetweenSockets;
    case ObjectType::kPackage:
    case ObjectType::kDie:
    case ObjectType::kGroup:
      return kDefaultWithinSocket;
    default:
      return kDefaultWithinCache;
  }
}

void assume_costs(Machine& m) {
  m.core_speed = assume(10, "Gflop/s", "speed");
  m.copy_bandwidth = assume(10, "GB/s", "bandwidth");
  m.eager_limit = assume(4, "KiB", "size");
  const Topology& t = *m.topology;
  for (const std::string& name : branching_levels(t)) {
    int v = 0;
    while (t.name(v) != name) ++v;
    if (t.type(v) == ObjectType::kNumaNode) v = t.parent(v);  // a place of the object that it is attached to
    const DefaultCosts d = defaults_for(t.type(v));
    m.levels.push_back({.level = name,
                        .latency = assume(d.latency_us, "us", "time"),
                        .overhead = assume(d.overhead_us, "us", "time"),
                        .bandwidth = assume(d.bandwidth_gbs, "GB/s", "bandwidth"),
                        .link_bandwidth = assume(d.link_gbs, "GB/s", "bandwidth")});
  }
}

// --- writing -------------------------------------------------------------------------------------------------------

std::string to_yaml(const Machine& m) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  out << YAML::Key << "schema" << YAML::Value << kSchema;
  out << YAML::Key << "name" << YAML::Value << YAML::DoubleQuoted << m.name;
  out << YAML::Key << "description" << YAML::Value << YAML::DoubleQuoted << m.description;
  out << YAML::Key << "source" << YAML::Value << YAML::DoubleQuoted << m.source;
  out << YAML::Key << "node" << YAML::Value << YAML::BeginMap;
  if (m.node.synthetic.empty()) {
    out << YAML::Key << "xml" << YAML::Value << "node.xml";
  } else {
    out << YAML::Key << "synthetic" << YAML::Value << YAML::DoubleQuoted << m.node.synthetic;
  }
  out << YAML::EndMap << YAML::Key << "network" << YAML::Value;
  emit_network(out, m.network, m.fabric);
  out << YAML::Key << "costs" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "core" << YAML::Value << YAML::BeginMap;
  emit_figure(out, "speed", m.core_speed);
  emit_figure(out, "copy_bandwidth", m.copy_bandwidth);
  if (m.stated_combine_bandwidth) emit_figure(out, "combine_bandwidth", *m.stated_combine_bandwidth);
  out << YAML::EndMap;
  emit_figure(out, "eager_limit", m.eager_limit);
  if (m.stated_copies) emit_figure(out, "copies", *m.stated_copies);
  if (m.fabric) emit_fabric_costs(out, *m.fabric);
  out << YAML::Key << "levels" << YAML::Value << YAML::BeginSeq;
  for (const LevelCosts& c : m.levels) {
    out << YAML::BeginMap << YAML::Key << "level" << YAML::Value << YAML::DoubleQuoted << c.level;
    emit_figure(out, "latency", c.latency);
    emit_figure(out, "overhead", c.overhead);
    emit_figure(out, "bandwidth", c.bandwidth);
    if (!m.shares_injection(c.level)) emit_figure(out, "link_bandwidth", c.link_bandwidth);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::EndMap << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path.string(), std::strerror(errno), "check the file");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.flush();
  if (!out)
    throw InputError(path.string(), std::string("cannot be written: ") + std::strerror(errno), "check the disk");
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
      Figure{1, "copies", "assumed: the receiver alone copies, for nothing else is stated", 1});
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
  return BytesPerSecond(std::max(copy_bandwidth.si, c == nullptr ? 0 : c->bandwidth.si));
}

Machine load_machine(const std::filesystem::path& yaml, NodeImport how) {
  const YamlReader file(yaml.string(), load_yaml(yaml));
  if (file.at("schema", std::string("begin with `schema: ") + kSchema + "`").text() != kSchema) {
    file.at("schema").fail("is not " + std::string(kSchema), "this version reads " + std::string(kSchema));
  }
  file.only({"schema", "name", "description", "source", "node", "network", "costs"});
  Machine m;
  m.name = file.at("name").text();
  m.description = file.at("description").text();
  m.source = file.at("source", "say where the description comes from").text();
  const YamlReader node = file.at("node", "give `xml: node.xml` or `synthetic: \"pack:2 core:4\"`");
  node.only({"xml", "synthetic"});
  if (node.has("xml") == node.has("synthetic")) node.fail("has not exactly one of xml and synthetic", "give one");
  if (node.has("xml")) {
    m.node.xml = yaml.parent_path() / node.at("xml").text();
  } else {
    m.node.synthetic = node.at("synthetic").text();
  }
  std::shared_ptr<const NodeTree> inside;
  try {
    inside = import_source(m.node, how);
  } catch (const InputError& e) {
    node.at(node.has("xml") ? "xml" : "synthetic").fail(e.what(), "");
  }
  const YamlReader network = file.at("network", "give `network: {nodes: 1}` for a single node");
  NetworkDescription description = read_network(network, *inside);
  m.network = std::move(description.tree);
  m.fabric = std::move(description.fabric);
  if (m.network.count_nodes() > kMaxNodes) {
    network.fail("has " + std::to_string(m.network.count_nodes()) + " nodes",
                 "give at most " + std::to_string(kMaxNodes));
  }
  m.topology = std::make_shared<const Topology>(m.network, std::vector(m.network.count_nodes(), inside));
  read_costs(file.at("costs", "a machine has costs: core, eager_limit and levels, each with unit and source"), m);
  return m;
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

void save_machine(const Machine& machine, const std::filesystem::path& folder) {
  write_file(folder / "machine.yaml", to_yaml(machine));
  if (machine.node.synthetic.empty()) write_file(folder / "node.xml", read_file(machine.node.xml));
}

std::string machine_hash(const Machine& machine) {
  std::string bytes = to_yaml(machine);
  if (machine.node.synthetic.empty()) bytes += read_file(machine.node.xml);
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
  throw InputError("machine '" + spec + "'", "is neither in the catalog nor a file",
                   "the catalog has " + join(names) + "; or give --xml FILE --nodes N");
}

}  // namespace strata
