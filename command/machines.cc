// SPDX-License-Identifier: LGPL-2.1-only
// strata machines: lists the catalog, a line for each machine; strata machines NAME: all figures of a machine.
#include <cstdio>
#include <memory>

#include "command/command.h"
#include "command/print.h"
#include "platforms/list.h"

namespace strata::command {
namespace {

struct Options {
  std::string machine;
  bool json = false;
};

int show(const Options& o) {
  const auto installation = sim::find_installation();
  if (o.machine.empty() && o.json) {
    print(list_machines_json(installation.machines));
  } else if (o.machine.empty()) {
    print(list_machines_text(installation.machines));
  } else {
    const Machine machine = find_machine(o.machine, installation.machines);
    if (o.json) {
      print(machines_json({machine}));
    } else {
      print(machine_figures_text(machine));
    }
  }
  return 0;
}

}  // namespace

void add_machines(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub =
      app.add_subcommand("machines", "List the machines of the catalog, or a machine's figures with their sources");
  sub->add_option("machine", o->machine,
                  "show all figures of this machine: a name of the catalog, or a folder with a machine.yaml");
  sub->add_flag("--json", o->json, "print one JSON document, with all figures");
  sub->footer(
      "Examples:\n  strata machines\n  strata machines theta\n  strata machines --json | jq '.machines[].name'");
  sub->callback([o, &action] { action = [o] { return show(*o); }; });
}

}  // namespace strata::command
