// SPDX-License-Identifier: LGPL-2.1-only
// Runs the built `strata` as users do, and returns its output and exit code.
#pragma once

#include <string>
#include <vector>

#include "tests/process/process.h"

namespace strata {

/// The command line of `strata` with these arguments.
std::vector<std::string> strata_command(const std::vector<std::string>& arguments);

Ran run_strata(const std::vector<std::string>& arguments, const Surroundings& surroundings = {});

}  // namespace strata
