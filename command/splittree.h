// SPDX-License-Identifier: LGPL-2.1-only
// `strata splittree` and its subcommands. CLI11 runs the callback of `splittree` itself after its subcommand's: it must
// set no action where there is one; and options of its own that it requires would be required with a subcommand too.
#pragma once

#include <string>
#include <vector>

#include "command/command.h"

namespace strata::command {

void add_tune(cli::App& splittree, Action& action);
void add_figures(cli::App& splittree, Action& action);

/// The collectives that the model knows, for --collective.
std::vector<std::string> tree_collectives();

/// "binomial tree", "3-nomial tree", ...
std::string tree_name(int arity);

/// More are a slip of the keyboard.
inline constexpr int kMostModelledCores = 1'000'000;
inline constexpr int kMostArity = 1'000'000;

}  // namespace strata::command
