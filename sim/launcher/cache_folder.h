// SPDX-License-Identifier: LGPL-2.1-only
// The folder for what may be made again, as ./strata chooses it.
#pragma once

#include <filesystem>

namespace strata::sim {

/// STRATA_CACHE, or strata in XDG_CACHE_HOME, or .cache/strata in HOME; empty where none of them is set. Need not exist.
std::filesystem::path cache_folder();

}  // namespace strata::sim
