// SPDX-License-Identifier: LGPL-2.1-only
#include "base/key_reference.h"
#include "scenarios/scenario_keys.h"

namespace strata {
namespace {

std::vector<Key> rows() { return rows_of(scenario_keys()); }

}  // namespace

std::string scenario_reference(const std::string& example) {
  return R"(# Scenario files

<!-- Generated from the tables in scenarios/; do not edit. `tools/regenerate-docs --reference` makes it again. -->

A scenario says what to run on which machine, with which ranks where, and what to make of the measurements. `strata run
SCENARIO --set KEY=VALUE` replaces what it says. `schemas/scenario.schema.json` is the same as a JSON Schema, for editors
and validators. `quickstart`, for example:

```yaml
)" + example +
         R"(```

## File

)" + reference_of(rows(), true) +
         R"(
## Settings

`--set` also takes an axis of the sweep (`--set elements=1,10,100`; of an axis of cases some of them), a figure of the machine
(`--set what_if.eager_limit=8KiB`, `--set "what_if.System - Cluster.latency=0.25x"`) and the option of the reference (`--set
work=0.1`, which is then not measured). The last of several settings of one key holds. Paths are relative to the working
directory. Derived quantities, plots and claims that name a value which an axis no longer has are left out.
)";
}

std::string scenario_schema() {
  return schema_of("A scenario of Strata (strata.scenario/1)",
                   "A study: what to run on which machine, with which ranks where. docs/reference/scenario.md has the "
                   "same for people.",
                   rows());
}

}  // namespace strata
