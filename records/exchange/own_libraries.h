// SPDX-License-Identifier: LGPL-2.1-only
// The libraries that all ranks of a simulation share: SimGrid's and Strata's own, whose variables are the simulator's.
// Each rank gets a copy of any other library with variables (toolchain/loader.cc).
#pragma once

#include <string_view>

namespace strata {

/// `file`: the name of a library's file without its folder, such as "libmpix_supply_smpi.so.0.7".
inline bool is_own_library(std::string_view file) {
  for (const std::string_view own : {"libmpix_", "libstrata_", "libsimgrid."}) {
    if (file.starts_with(own)) return true;
  }
  return false;
}

}  // namespace strata
