// SPDX-License-Identifier: LGPL-2.1-only
// The file of `strata exec --compute-file`: how long each rank computed between its calls of MPI functions and of
// clocks, in their order. For example, of two ranks, of which the first computed twice:
//
//   strata computation 1, 2 ranks        a line
//   2  3.2e-6 1.1e-6                     rank 0: how many times, as an integer of 8 bytes, and the times, in s, 8 bytes
//   each 0                                    rank 1
//
// While a run goes on, each rank has a file of its own in a folder, which has its number as a name.
#pragma once

#include <filesystem>

namespace strata::native {

/// From the folder into the file, which appears whole or not at all. Throws OutputError.
void collect_computation(const std::filesystem::path& folder, int ranks, const std::filesystem::path& file);
/// From the file into the folder, which exists. Throws InputError if the file is not one, or is damaged, or has another
/// number of ranks.
void spread_computation(const std::filesystem::path& file, int ranks, const std::filesystem::path& folder);

}  // namespace strata::native
