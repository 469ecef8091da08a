// SPDX-License-Identifier: LGPL-2.1-only
// Settings of the command line, `--set KEY=VALUE`: they replace what a scenario's file says.
#pragma once

#include <string>

#include "scenarios/scenario.h"

namespace strata {

/// Throws InputError that names the setting.
void apply_setting(const std::string& setting, Scenario& scenario);

}  // namespace strata
