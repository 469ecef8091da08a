// SPDX-License-Identifier: LGPL-2.1-only
// Merges the parts of a message on links that several of its routes share.
#pragma once

#include <vector>

#include "platforms/fabric.h"

namespace strata {

/// Merges the parts from index `first` on: each link once, in the order of the links, with the sum of its parts.
void merge(std::vector<Fabric::Part>& parts, long first);

}  // namespace strata
