// SPDX-License-Identifier: LGPL-2.1-only
// The common part of the programs `strata` and `strata_check`: parses the command line, runs the subcommand, and turns
// every failure into one line on stderr and an exit code.
#pragma once

#include <functional>

#include "command/command.h"

namespace strata::command {

/// The complete main function. Returns the exit code (command.h).
int run_program(int argc, char** argv, const std::function<void(cli::App&, Action&)>& add_commands);

}  // namespace strata::command
