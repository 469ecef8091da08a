// SPDX-License-Identifier: LGPL-2.1-only
// `strata splittree` and its subcommands. CLI11 runs the callback of `splittree` after that of its subcommand, so it
// must not replace an action that is already set. Required options of `splittree` would also be required with a
// subcommand, so it has none.
#pragma once

#include <string>
#include <vector>

#include "command/command.h"

namespace strata::command {

void add_tune(cli::App& splittree, Action& action);
void add_figures(cli::App& splittree, Action& action);

/// The collectives of the model, for --collective.
std::vector<std::string> tree_collectives();

/// "binomial tree", "3-nomial tree", ...
std::string tree_name(int arity);

/// More cores are probably a typing error.
inline constexpr int kMostModelledCores = 1'000'000;
inline constexpr int kMostArity = 1'000'000;

}  // namespace strata::command
