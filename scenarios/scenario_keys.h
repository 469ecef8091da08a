// SPDX-License-Identifier: LGPL-2.1-only
// The keys of a scenario as tables (base/keys.h). To add a key, add a row here or in quantities.cc, and the field
// that its reader sets.
#pragma once

#include <string>
#include <vector>

#include "base/keys.h"
#include "scenarios/scenario.h"

namespace strata {

inline constexpr const char* kScenarioSchema = "strata.scenario/1";

/// The keys of the file, in the order in which they are read.
Keys<Scenario> scenario_keys();

/// The rows that `--set` accepts by the name of their key, including those of `mapping`. For `what_if`, it accepts
/// what_if.FIGURE instead.
Keys<Scenario> settable_keys();

/// The contents of docs/reference/scenario.md, with the scenario `example`, and of schemas/scenario.schema.json.
std::string scenario_reference(const std::string& example);
std::string scenario_schema();

}  // namespace strata
