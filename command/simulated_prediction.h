// SPDX-License-Identifier: LGPL-2.1-only
// Predicts operations to which no figure of a machine was fitted, by simulating them on it (the program `repeated`).
#pragma once

#include <string>
#include <vector>

#include "calibration/held_out.h"
#include "platforms/machine.h"
#include "sim/launcher/installation.h"

namespace strata::command {

/// The default limit of messages, which takes half a minute to a minute on two processors.
inline constexpr double kMostMessages = 1e6;

struct PredictionOptions {
  int ranks_per_node = 0;                // as in bindings_of
  double most_messages = kMostMessages;  // of all simulations together
};

/// Predicts the sizes of each operation. If they would take too many messages, it predicts fewer sizes, evenly spread,
/// and adds to `notes` what is left out and why. Throws OutputError, Interrupted.
std::vector<calibration::Predicted> predict(const Machine& machine, const std::vector<calibration::HeldOut>& held_out,
                                            const sim::Installation& installation, const PredictionOptions& options,
                                            std::vector<std::string>& notes);

}  // namespace strata::command
