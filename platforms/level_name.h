// SPDX-License-Identifier: LGPL-2.1-only
// Default names of network levels: "Switch", "Switch 2", ...
#pragma once

#include <string>

namespace strata {

/// `height`: 1 next to the nodes.
inline std::string level_name(const std::string& kind, int height) {
  return height == 1 ? kind : kind + " " + std::to_string(height);
}

}  // namespace strata
