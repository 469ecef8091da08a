// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/machine.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "base/nearest.h"
#include "base/whole_file.h"
#include "platforms/assumed_costs.h"
#include "platforms/fabric_form.h"
#include "platforms/hwloc_xml.h"
#include "platforms/machine_yaml.h"
#include "platforms/segments.h"

namespace strata {
namespace {

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
  write_whole(folder / "machine.yaml", machine_yaml(machine, true));
  for (const auto& [name, bytes] : xmls) write_whole(folder / name, bytes);
  const std::string fabric = machine.fabric ? machine.fabric->file_text() : "";
  if (!fabric.empty()) write_whole(folder / kFabricFile, fabric);
}

std::string machine_hash(const Machine& machine) {
  std::string bytes = machine_yaml(machine, false);
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
