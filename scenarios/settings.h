// SPDX-License-Identifier: LGPL-2.1-only
// Settings on the command line, `--set KEY=VALUE`, which override a scenario's file.
#pragma once

#include <string>

#include "scenarios/scenario.h"

namespace strata {

/// Throws InputError that names the setting.
void apply_setting(const std::string& setting, Scenario& scenario);

}  // namespace strata
