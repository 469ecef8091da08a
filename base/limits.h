// SPDX-License-Identifier: LGPL-2.1-only
// The largest numbers of ranks that are taken: a larger one is a typing error or a damaged file, and is refused before
// memory is reserved for it.
#pragma once

namespace strata {

/// In a command or a scenario.
inline constexpr int kMostRanks = 100'000'000;
/// Where each rank takes memory of its own: matrices, meshes, recordings of other tools.
inline constexpr int kMostRanksInMemory = 1 << 24;

}  // namespace strata
