// SPDX-License-Identifier: LGPL-2.1-only
// strata topo: a machine's tree as text, JSON or SVG.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/whole_file.h"
#include "command/command.h"
#include "command/print.h"
#include "platforms/draw_json.h"
#include "platforms/draw_svg.h"
#include "platforms/draw_text.h"
#include "platforms/fabric.h"
#include "platforms/hostlist.h"
#include "platforms/hwloc_xml.h"
#include "platforms/ibnetdiscover.h"
#include "platforms/network_text.h"
#include "platforms/node_names.h"
#include "platforms/slurm_topology.h"
#include "platforms/switches.h"

namespace strata::command {
namespace {

struct Options {
  std::string what, slurm, ibnetdiscover, hosts, svg, machine_folder;
  std::vector<std::string> node;
  int nodes = 1;
  bool json = false, full = false;
};

constexpr const char* kOneCore = "core:1 pu:1";  // the default inside of nodes

bool is_xml(const std::string& what, const std::filesystem::path& catalog) {
  const std::vector<std::string> names = catalog_names(catalog);
  const bool listed = std::find(names.begin(), names.end(), what) != names.end();
  return !listed && (std::filesystem::path(what).extension() == ".xml" || is_xml_file(what));
}

void note(const std::string& text) { std::fprintf(stderr, "note: %s\n", text.c_str()); }

// The nodes of a machine whose network another program describes, and the machine that provides its costs.
struct Inside {
  std::vector<NodesOfAKind> nodes;
  std::optional<Machine> like;
  std::string about;  // "node.xml"
};

// --node GLOB=FILE, or FILE for all nodes.
struct Pattern {
  std::string glob, file;
  int matches = 0;  // number of matching nodes, including those that match earlier patterns
};

std::vector<Pattern> patterns_of(const std::vector<std::string>& options) {
  std::vector<Pattern> patterns;
  for (const std::string& option : options) {
    const size_t equals = option.find('=');
    const bool plain = equals == std::string::npos || std::filesystem::exists(option);
    patterns.push_back({plain ? "*" : option.substr(0, equals), plain ? option : option.substr(equals + 1)});
    if (patterns.back().glob.empty() || patterns.back().file.empty())
      throw InputError("--node", "'" + option + "' is not GLOB=FILE", "write for example --node 'gpu*=gpu.xml'");
  }
  return patterns;
}

// The first pattern that matches a node's name. Counts matches for all patterns.
const Pattern& pattern_of(const std::string& name, std::vector<Pattern>& patterns) {
  const Pattern* first = nullptr;
  for (Pattern& p : patterns) {
    if (::fnmatch(p.glob.c_str(), name.c_str(), 0) != 0) continue;
    ++p.matches;
    if (first == nullptr) first = &p;
  }
  if (first == nullptr) {
    throw InputError("--node", "no pattern matches node '" + name + "'",
                     "end with one for all others: --node '*=FILE.xml'");
  }
  return *first;
}

// Names that contain special characters of hostlists cannot be written as a hostlist.
bool fit_a_hostlist(const std::vector<std::string>& names) {
  return std::none_of(names.begin(), names.end(), [](const std::string& name) {
    return name.empty() || name.find_first_of("[], \t") != std::string::npos;
  });
}

// Groups nodes by the first pattern that matches their name.
std::vector<NodesOfAKind> kinds_of(const std::vector<std::string>& names, std::vector<Pattern> patterns) {
  std::vector<NodesOfAKind> kinds;
  std::vector<std::vector<std::string>> members;  // of each kind
  for (const std::string& name : names) {
    const Pattern& pattern = pattern_of(name, patterns);
    if (kinds.empty() || kinds.back().source.xml != pattern.file) {
      kinds.push_back({.source = {.xml = pattern.file, .synthetic = ""}, .count = 0, .names = ""});
      members.emplace_back();
    }
    ++kinds.back().count;
    members.back().push_back(name);
  }
  for (const Pattern& p : patterns) {
    if (p.matches > 0) continue;
    throw InputError(
        "--node", "no node is called '" + p.glob + "'",
        fmt::format("the network has {}",
                    fit_a_hostlist(names) ? hostlist_of(names) : fmt::format("{}", fmt::join(names, ", "))));
  }
  if (fit_a_hostlist(names)) {
    for (size_t i = 0; i < kinds.size(); ++i) kinds[i].names = hostlist_of(members[i]);
  }
  return kinds;
}

// `names`: the network's nodes, in its order.
Inside inside_of(const Options& o, const std::vector<std::string>& names, const std::filesystem::path& catalog) {
  Inside inside;
  const auto all = [&](const NodeSource& source) { inside.nodes = {{source, static_cast<int>(names.size()), ""}}; };
  if (o.what.empty() && o.node.empty()) {
    all({.xml = "", .synthetic = kOneCore});
    inside.about = "one core";
    note("nothing says what is inside the nodes: one core each; give --node FILE.xml");
  } else if (!o.node.empty()) {
    inside.nodes = kinds_of(names, patterns_of(o.node));
    std::vector<std::string> files;
    for (const NodesOfAKind& kind : inside.nodes) {
      const std::string file = kind.source.xml.filename().string();
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
    inside.about = fmt::format("{}", fmt::join(files, ", "));
    if (!o.what.empty()) inside.like = find_machine(o.what, catalog);
  } else if (is_xml(o.what, catalog)) {
    all({.xml = o.what, .synthetic = ""});
    inside.about = std::filesystem::path(o.what).filename().string();
  } else {
    inside.like = find_machine(o.what, catalog);
    if (!inside.like->kinds.empty()) {
      throw InputError(o.what, "has nodes of several kinds",
                       "say which nodes of this network are which: --node 'GLOB=FILE.xml'");
    }
    all(inside.like->node);
    inside.about = "the nodes of " + inside.like->name;
  }
  return inside;
}

// `by`: the origin of the network, such as "Slurm".
Machine machine_on(const Inside& inside, NetworkGroup network, std::optional<FabricNetwork> fabric,
                   const std::string& file, const std::string& by) {
  const Machine* like = inside.like ? &*inside.like : nullptr;
  Machine machine = machine_on_network(inside.nodes, std::move(network), std::move(fabric), like);
  const std::filesystem::path path(file);
  machine.name = path.stem().string();
  machine.description = fmt::format("{} nodes ({}) on the network of {}", machine.topology->num_nodes(), inside.about,
                                    path.filename().string());
  machine.source = fmt::format("the network by {}, costs {}", by,
                               like == nullptr ? "assumed" : fmt::format("of {} ({})", like->name, like->source));
  return machine;
}

Machine on_slurm_topology(const Options& o, const std::filesystem::path& catalog) {
  const SlurmTopology slurm = read_slurm_topology(o.slurm);
  Machine machine = machine_on(inside_of(o, slurm.nodes, catalog), slurm.network, std::nullopt, o.slurm, "Slurm");
  for (const std::string& text : slurm.notes) note(text);
  return machine;
}

// The nominal bandwidth of an InfiniBand link.
Figure nominal(const std::string& kind) {
  const InfiniBandRate rate = *infiniband_rate(kind);
  return {rate.gigabits_per_s, "Gb/s",
          fmt::format("published: ibnetdiscover: {}; nominal, {} (InfiniBand Architecture Specification)", kind,
                      rate.derivation),
          rate.gigabits_per_s * unit_factor("bandwidth", "Gb/s")};
}

Machine on_infiniband(const Options& o, const std::filesystem::path& catalog) {
  const DiscoveredFabric found = read_ibnetdiscover(o.ibnetdiscover, o.hosts);
  SwitchesShape shape{SwitchNetwork(found.graph), {}};
  shape.levels = usual_level_names(shape.network.num_levels());
  FabricNetwork fabric{.shape = shape, .fabric = make_switches(shape)};
  // Data sheets of InfiniBand switches of these generations state 90 to 200 ns from port to port.
  fabric.hop_latency = {100, "ns", "assumed: default order of magnitude of a switch", 100 * unit_factor("time", "ns")};
  fabric.injection = nominal(found.injection);
  for (const std::string& kind : found.graph.kinds) fabric.links.push_back(nominal(kind));
  std::vector<std::string> names;
  for (const SwitchGraph::Node& node : shape.network.graph().nodes) names.push_back(node.name);
  Machine machine = machine_on(inside_of(o, names, catalog), tree_of(shape), fabric, o.ibnetdiscover, "ibnetdiscover");
  for (const std::string& text : found.notes) note(text);
  if (!shape.network.why_no_fat_tree().empty()) {
    note("messages take shortest ways, since this is not a fat tree: " + shape.network.why_no_fat_tree());
  }
  return machine;
}

Machine machine_of(const Options& o, const std::filesystem::path& catalog) {
  const bool on_network = !o.slurm.empty() || !o.ibnetdiscover.empty();
  if (!o.what.empty() && !o.node.empty() && (!on_network || is_xml(o.what, catalog))) {
    throw InputError("--node", "the nodes are those of " + o.what + " already", "leave out one of the two");
  }
  if (!o.slurm.empty()) return on_slurm_topology(o, catalog);
  if (!o.ibnetdiscover.empty()) return on_infiniband(o, catalog);
  if (o.node.size() > 1 || (!o.node.empty() && patterns_of(o.node).front().glob != "*")) {
    throw InputError("--node", "patterns need names of nodes", "give --slurm-topology or --ibnetdiscover too");
  }
  const std::string what = o.node.empty() ? o.what : patterns_of(o.node).front().file;
  if (what.empty()) {
    throw InputError("command line", "a machine is required",
                     "give MACHINE, FILE.xml, --slurm-topology or --ibnetdiscover; see --help");
  }
  const bool xml = !o.node.empty() || is_xml(what, catalog);
  if (!xml && o.nodes != 1) throw InputError("--nodes", "goes with an hwloc XML file", "leave it out for a machine");
  return xml ? machine_from_xml(what, o.nodes) : find_machine(what, catalog);
}

int topo(const Options& o) {
  const Machine machine = machine_of(o, sim::find_installation().machines);
  if (!o.machine_folder.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(o.machine_folder, ignored);
    save_machine(machine, o.machine_folder);
    std::fprintf(stderr, "wrote %s/machine.yaml: put your figures and their sources there\n", o.machine_folder.c_str());
  }
  const std::string network = network_text(machine);
  const auto shown = [](const Figure& f) { return fmt::format("{} {}", f.value, f.unit); };
  const std::string memory = machine.memory ? shown(machine.memory->bandwidth) : "";
  const bool has_cache = machine.memory && machine.memory->shared_cache_bandwidth;
  const std::string cache = has_cache ? shown(*machine.memory->shared_cache_bandwidth) : "";
  const std::vector<std::string> names = node_names(machine);
  const std::map<int, std::string> ports = port_labels(machine);
  if (!o.svg.empty()) {
    const std::string svg = draw_svg(*machine.topology, network, memory, names, cache, ports);
    if (o.svg == "-") {
      std::fputs(svg.c_str(), stdout);
    } else {
      write_whole(o.svg, svg);
      std::fprintf(stderr, "wrote %s\n", o.svg.c_str());
    }
  } else if (o.json) {
    write_json(machine, [](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), stdout); });
    std::fputs("\n", stdout);
  } else {
    print(draw_text(
        *machine.topology,
        {.full = o.full, .network = network, .memory = memory, .cache = cache, .names = names, .ports = ports}));
  }
  return 0;
}

}  // namespace

void add_topo(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand("topo", "Show the tree of a machine or of an hwloc XML file");
  sub->add_option("MACHINE|FILE.xml", o->what, "a machine of the catalog, a machine.yaml, or an hwloc XML file");
  auto* nodes = sub->add_option("--nodes", o->nodes, "with an XML file: number of such nodes (default 1)");
  auto* slurm = sub->add_option("--slurm-topology", o->slurm,
                                "take the network from Slurm's topology.conf or topology.yaml, nodes and costs from "
                                "MACHINE");
  auto* fabric =
      sub->add_option("--ibnetdiscover", o->ibnetdiscover,
                      "take switches and cables from what ibnetdiscover printed, nodes and costs from MACHINE");
  slurm->excludes(nodes);
  fabric->excludes(nodes)->excludes(slurm);
  sub->add_option("--hosts", o->hosts,
                  "with --ibnetdiscover: a file with the hosts that are nodes, in their order "
                  "(default: all)")
      ->needs(fabric);
  sub->add_option("--node", o->node,
                  "hwloc XML file of the nodes, instead of those of MACHINE; or GLOB=FILE for the nodes whose names "
                  "match, the first GLOB that does (repeat)");
  auto* json = sub->add_flag("--json", o->json, "print one JSON document, with the costs");
  sub->add_option("--svg", o->svg, "draw the tree, as lstopo does, into this file (-: stdout)")
      ->excludes(json)
      ->writes(cli::Written::kFile);
  sub->add_flag("--full", o->full, "print every node and switch, also those that are equal")->excludes(json);
  sub->add_option("--out", o->machine_folder, "also write machine.yaml and node.xml into this folder")
      ->writes(cli::Written::kFolder)
      ->formerly("--save");
  sub->footer(
      "Examples:\n  strata topo ntw10e5\n  strata topo ntw10e5 --svg ntw10e5.svg\n"
      "  lstopo --of xml node.xml && strata topo node.xml --nodes 16 --out my-machine\n"
      "  strata topo --slurm-topology topology.conf --node node.xml --out my-cluster\n"
      "  strata topo --slurm-topology topology.conf --node 'gpu*=gpu.xml' --node '*=node.xml'\n"
      "  strata topo my-cluster --slurm-topology topology.conf --node 'gpu*=gpu.xml' --node '*=node.xml'  # its costs\n"
      "  ibnetdiscover >fabric.ib && strata topo --ibnetdiscover fabric.ib --node node.xml --out my-cluster");
  sub->callback([o, &action] { action = [o] { return topo(*o); }; });
}

}  // namespace strata::command
