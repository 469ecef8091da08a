// SPDX-License-Identifier: LGPL-2.1-only
// `strata nodecart survey`, a subcommand of `strata nodecart`. CLI11 runs the callback of `nodecart` itself after its
// subcommand's: it must set no action where there is one.
#pragma once

#include "command/command.h"

namespace strata::command {

void add_nodecart_survey(cli::App& nodecart, Action& action);

}  // namespace strata::command
