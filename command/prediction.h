// SPDX-License-Identifier: LGPL-2.1-only
// Operations that no figure of a machine was fitted to, predicted by simulating them on it (the program `repeated`).
#pragma once

#include <string>
#include <vector>

#include "calibration/held_out.h"
#include "platforms/machine.h"
#include "sim/launcher/installation.h"

namespace strata::command {

/// For each operation the sizes that could be simulated; adds to `notes` what could not, and why. `ranks_per_node` as
/// bindings_of takes it. Throws OutputError, Interrupted.
std::vector<calibration::Predicted> predict(const Machine& machine, const std::vector<calibration::HeldOut>& held_out,
                                            const sim::Installation& installation, int ranks_per_node,
                                            std::vector<std::string>& notes);

}  // namespace strata::command
