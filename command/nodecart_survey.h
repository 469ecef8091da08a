// SPDX-License-Identifier: LGPL-2.1-only
// `strata nodecart survey`, a subcommand of `strata nodecart`. CLI11 runs the callback of `nodecart` after that of its
// subcommand, so it must not replace an action that is already set.
#pragma once

#include "command/command.h"

namespace strata::command {

void add_nodecart_survey(cli::App& nodecart, Action& action);

}  // namespace strata::command
