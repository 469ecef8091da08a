// SPDX-License-Identifier: LGPL-2.1-only
// Parts of a message over links that several of its ways share.
#pragma once

#include <vector>

#include "platforms/fabric.h"

namespace strata {

/// The parts from `first` on, each link once, in the order of the links, with the sum of its parts.
void merge(std::vector<Fabric::Part>& parts, long first);

}  // namespace strata
