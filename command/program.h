// SPDX-License-Identifier: LGPL-2.1-only
// What the programs `strata` and `strata_check` have in common: the command line is parsed, the subcommand runs, and
// every failure becomes one line on stderr and the right exit code.
#pragma once

#include <functional>

#include "command/command.h"

namespace strata::command {

/// The whole of a main. Returns the exit code (command.h).
int run_program(int argc, char** argv, const std::function<void(cli::App&, Action&)>& add_commands);

}  // namespace strata::command
