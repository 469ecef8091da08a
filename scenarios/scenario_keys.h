// SPDX-License-Identifier: LGPL-2.1-only
// The keys of a scenario as tables (platforms/keys.h). To add one: a row here or in quantities.cc, and the field that
// its reader sets.
#pragma once

#include <string>
#include <vector>

#include "platforms/keys.h"
#include "scenarios/scenario.h"

namespace strata {

inline constexpr const char* kScenarioSchema = "strata.scenario/1";

/// The keys of the file, in the order in which they are read.
Keys<Scenario> scenario_keys();

/// The rows that `--set` takes by the name of their key; those of `mapping` among them. Of `what_if` it takes
/// what_if.FIGURE instead.
Keys<Scenario> settable_keys();

/// docs/reference/scenario.md, which shows `example`, a scenario, and schemas/scenario.schema.json.
std::string scenario_reference(const std::string& example);
std::string scenario_schema();

}  // namespace strata
