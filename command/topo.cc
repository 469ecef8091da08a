// SPDX-License-Identifier: LGPL-2.1-only
// strata topo: a machine's tree as text, JSON or SVG.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/command.h"
#include "platforms/draw_json.h"
#include "platforms/draw_svg.h"
#include "platforms/draw_text.h"
#include "platforms/error.h"
#include "platforms/fabric.h"
#include "platforms/hwloc_xml.h"
#include "platforms/slurm_topology.h"
#include "records/whole_file.h"

namespace strata::command {
namespace {

struct Options {
  std::string what, slurm, node, svg, machine_folder;
  int nodes = 1;
  bool json = false, full = false;
};

constexpr const char* kOneCore = "core:1 pu:1";  // the inside of nodes that is not given

bool is_xml(const std::string& what, const std::filesystem::path& catalog) {
  const std::vector<std::string> names = catalog_names(catalog);
  const bool listed = std::find(names.begin(), names.end(), what) != names.end();
  return !listed && (std::filesystem::path(what).extension() == ".xml" || is_xml_file(what));
}

void note(const std::string& text) { std::fprintf(stderr, "note: %s\n", text.c_str()); }

// Nodes and costs of a machine on a network that another program describes.
Machine on_slurm_topology(const Options& o, const std::filesystem::path& catalog) {
  const SlurmTopology slurm = read_slurm_topology(o.slurm);
  for (const std::string& text : slurm.notes) note(text);
  std::optional<Machine> like;
  NodeSource node;
  std::string inside;
  if (o.what.empty() && o.node.empty()) {
    node.synthetic = kOneCore;
    inside = "one core";
    note("nothing says what is inside the nodes: one core each; give --node FILE.xml");
  } else if (!o.node.empty() || is_xml(o.what, catalog)) {
    node.xml = o.node.empty() ? o.what : o.node;
    inside = node.xml.filename().string();
  } else {
    like = find_machine(o.what, catalog);
    node = like->node;
    inside = "the nodes of " + like->name;
  }
  Machine machine = machine_on_network(node, slurm.network, like ? &*like : nullptr);
  const std::filesystem::path file(o.slurm);
  machine.name = file.stem().string();
  machine.description = fmt::format("{} nodes ({}) on the {} of {}", slurm.nodes.size(), inside,
                                    slurm.type == "tree" ? "switches" : "blocks", file.filename().string());
  machine.source = like ? fmt::format("the network by Slurm, costs of {} ({})", like->name, like->source)
                        : "the network by Slurm, costs assumed";
  return machine;
}

Machine machine_of(const Options& o, const std::filesystem::path& catalog) {
  if (!o.what.empty() && !o.node.empty()) {
    throw InputError("--node", "the nodes are those of " + o.what + " already", "leave out one of the two");
  }
  if (!o.slurm.empty()) return on_slurm_topology(o, catalog);
  const std::string what = o.what.empty() ? o.node : o.what;
  if (what.empty()) {
    throw InputError("command line", "a machine is required", "give MACHINE, FILE.xml or --slurm-topology; see --help");
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
  const std::string network = machine.fabric ? machine.fabric->describe() : "";
  const std::string memory =
      machine.memory ? fmt::format("{} {}", machine.memory->bandwidth.value, machine.memory->bandwidth.unit) : "";
  if (!o.svg.empty()) {
    const std::string svg = draw_svg(*machine.topology, network, memory);
    if (o.svg == "-") {
      std::fputs(svg.c_str(), stdout);
    } else {
      write_whole(o.svg, svg);
      std::fprintf(stderr, "wrote %s\n", o.svg.c_str());
    }
  } else if (o.json) {
    std::fputs((draw_json(machine).dump(2) + "\n").c_str(), stdout);
  } else {
    std::fputs(draw_text(*machine.topology, {.full = o.full, .network = network, .memory = memory}).c_str(), stdout);
  }
  return 0;
}

}  // namespace

void add_topo(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand("topo", "Show the tree of a machine or of an hwloc XML file");
  sub->add_option("MACHINE|FILE.xml", o->what, "a machine of the catalog, a machine.yaml, or an hwloc XML file");
  auto* nodes = sub->add_option("--nodes", o->nodes, "with an XML file: number of such nodes (default 1)");
  sub->add_option("--slurm-topology", o->slurm,
                  "take the network from Slurm's topology.conf or topology.yaml; the nodes and costs from MACHINE")
      ->excludes(nodes);
  sub->add_option("--node", o->node, "hwloc XML file of the nodes, instead of MACHINE");
  auto* json = sub->add_flag("--json", o->json, "print one JSON document, with the costs");
  sub->add_option("--svg", o->svg, "draw the tree, as lstopo does, into this file (-: stdout)")->excludes(json);
  sub->add_flag("--full", o->full, "print every node and switch, also those that are equal")->excludes(json);
  sub->add_option("--save", o->machine_folder, "also write machine.yaml and node.xml into this folder");
  sub->footer(
      "Examples:\n  strata topo ntw10e5\n  strata topo ntw10e5 --svg ntw10e5.svg\n"
      "  lstopo --of xml node.xml && strata topo node.xml --nodes 16 --save my-machine\n"
      "  strata topo --slurm-topology topology.conf --node node.xml --save my-cluster");
  sub->callback([o, &action] { action = [o] { return topo(*o); }; });
}

}  // namespace strata::command
