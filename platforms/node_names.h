// SPDX-License-Identifier: LGPL-2.1-only
// The names that the nodes of a machine have in their cluster: "node01", "gpu1".
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"

namespace strata {

/// By node: the names in `nodes` of the machine.yaml, or else those in the file of its switches. Empty where the
/// machine has neither.
std::vector<std::string> node_names(const Machine& machine);

}  // namespace strata
