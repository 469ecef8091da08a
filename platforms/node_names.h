// SPDX-License-Identifier: LGPL-2.1-only
// The names of a machine's nodes in their cluster: "node01", "gpu1".
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"

namespace strata {

/// The names of all nodes, from `nodes` of the machine.yaml or else from the file of its switches. Empty if the machine
/// has neither.
std::vector<std::string> node_names(const Machine& machine);

}  // namespace strata
