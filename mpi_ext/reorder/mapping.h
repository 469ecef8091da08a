// SPDX-License-Identifier: LGPL-2.1-only
// Computes which process takes over which of the application's ranks, so that ranks that communicate much are near each
// other. Several methods share one interface.
//
// The pattern is in terms of the application's ranks, the tree in terms of processes at their places. A mapping is
// `new_rank`: new_rank[r] is the application's rank that the process of old rank r takes over, which is the key that it
// passes to MPI_Comm_split (PDSEC'20, Figure 1, line 11). It is a permutation; its inverse gives the process that runs
// a rank of the application.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpi_ext/reorder/place_tree.h"
#include "records/matrix/pattern.h"

namespace strata::mpix {

enum class MapMethod {
  kTreeMatch,   // treematch.h
  kScotch,      // scotch.h
  kRoundRobin,  // rank after rank over the nodes in turn
  kRandom,      // by `seed`
  kIdentity,    // unchanged
};

/// "treematch", "scotch", "roundrobin", "random", "identity".
std::optional<MapMethod> map_method(std::string_view name);
std::string_view name_of(MapMethod method);
/// All names, for messages: "treematch, scotch, ...".
std::string map_method_list();

/// new_rank, indexed by old rank. `treematch` and `scotch` never have more hop_bytes than the identity. Deterministic.
/// Throws std::invalid_argument if the numbers of processes of the tree and of ranks of the pattern differ.
/// Thread-safe.
std::vector<int> map_ranks(const Pattern& pattern, const PlaceTree& tree, MapMethod method, std::uint64_t seed = 1);

/// The sum over ordered pairs of processes of the bytes between their application's ranks times the hops between them
/// (bytes * edges). O(entries * depth).
double hop_bytes(const Pattern& pattern, const PlaceTree& tree, const std::vector<int>& new_rank);

/// k[inverse(k)[i]] = i. Throws std::invalid_argument if `permutation` is not a permutation.
std::vector<int> inverse(const std::vector<int>& permutation);

}  // namespace strata::mpix
