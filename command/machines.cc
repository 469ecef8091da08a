// SPDX-License-Identifier: LGPL-2.1-only
// strata machines: lists the catalog, with the source of every figure.
#include <cstdio>
#include <memory>

#include "command/command.h"
#include "command/print.h"
#include "platforms/list.h"

namespace strata::command {

void add_machines(cli::App& app, Action& action) {
  auto json = std::make_shared<bool>(false);
  cli::App* sub = app.add_subcommand("machines", "List the machines of the catalog, with the source of each figure");
  sub->add_flag("--json", *json, "print one JSON document");
  sub->footer("Examples:\n  strata machines\n  strata machines --json | jq '.machines[].name'");
  sub->callback([json, &action] {
    action = [json] {
      const auto installation = sim::find_installation();
      if (*json) {
        print(list_machines_json(installation.machines));
      } else {
        print(list_machines_text(installation.machines));
      }
      return 0;
    };
  });
}

}  // namespace strata::command
