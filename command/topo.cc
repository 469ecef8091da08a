// SPDX-License-Identifier: LGPL-2.1-only
// strata topo: a machine's tree as text, JSON or SVG.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command/command.h"
#include "platforms/draw_json.h"
#include "platforms/draw_svg.h"
#include "platforms/draw_text.h"
#include "platforms/error.h"
#include "platforms/fabric.h"
#include "platforms/hwloc_xml.h"
#include "records/whole_file.h"

namespace strata::command {
namespace {

struct Options {
  std::string what, svg, machine_folder;
  int nodes = 1;
  bool json = false, full = false;
};

int topo(const Options& o) {
  const std::filesystem::path catalog = sim::find_installation().machines;
  const std::vector<std::string> names = catalog_names(catalog);
  const bool listed = std::find(names.begin(), names.end(), o.what) != names.end();
  const bool xml = !listed && (std::filesystem::path(o.what).extension() == ".xml" || is_xml_file(o.what));
  if (!xml && o.nodes != 1) throw InputError("--nodes", "goes with an hwloc XML file", "leave it out for a machine");
  const Machine machine = xml ? machine_from_xml(o.what, o.nodes) : find_machine(o.what, catalog);
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
  sub->add_option("MACHINE|FILE.xml", o->what, "a machine of the catalog, a machine.yaml, or an hwloc XML file")
      ->required();
  sub->add_option("--nodes", o->nodes, "with an XML file: number of such nodes (default 1)");
  auto* json = sub->add_flag("--json", o->json, "print one JSON document, with the costs");
  sub->add_option("--svg", o->svg, "draw the tree, as lstopo does, into this file (-: stdout)")->excludes(json);
  sub->add_flag("--full", o->full, "print every node and switch, also those that are equal")->excludes(json);
  sub->add_option("--save", o->machine_folder, "also write machine.yaml and node.xml into this folder");
  sub->footer(
      "Examples:\n  strata topo ntw10e5\n  strata topo ntw10e5 --svg ntw10e5.svg\n"
      "  lstopo --of xml node.xml && strata topo node.xml --nodes 16 --save my-machine");
  sub->callback([o, &action] { action = [o] { return topo(*o); }; });
}

}  // namespace strata::command
