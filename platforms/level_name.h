// SPDX-License-Identifier: LGPL-2.1-only
// Names of a network's levels that are given none: "Switch", "Switch 2", ...
#pragma once

#include <string>

namespace strata {

/// `height`: 1 next to the nodes.
inline std::string level_name(const std::string& kind, int height) {
  return height == 1 ? kind : kind + " " + std::to_string(height);
}

}  // namespace strata
