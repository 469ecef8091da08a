// SPDX-License-Identifier: LGPL-2.1-only
// Communication patterns: all patterns of a few ranks up to renaming, and typical patterns of many ranks from studies
// of mapping.
#pragma once

#include <random>
#include <vector>

#include "check/areas/permutations.h"
#include "records/matrix/pattern.h"

namespace strata::check {

/// Restrictions of the entries in a small pattern.
enum class Entries {
  kBothWays,           // each pair sends the same bytes in both directions
  kDirected,           // no restriction, except messages to self
  kDirectedAndSelves,  // ranks may also send to themselves
};
inline constexpr double kLargeEntry = 1000;

struct SmallPattern {
  std::vector<Flow> flows;
  std::vector<Permutation> symmetries;  // renamings of the ranks that do not change the pattern
};

/// One of each class of patterns that differ only in the names of ranks, those with few entries first. Entries are 0 or
/// 1 byte; with `weighted`, also kLargeEntry. O(3^entries * ranks!).
std::vector<SmallPattern> small_patterns(int ranks, Entries entries, bool weighted);

/// The bytes from rank a to rank b, at index a * ranks + b.
std::vector<double> dense(int ranks, const std::vector<Flow>& flows);

/// About `per_rank` entries for each rank, of 1 to `most` bytes, some of them to itself.
std::vector<Flow> random_flows(int ranks, int per_rank, int most, std::mt19937_64& random);
/// Each rank sends 1000 bytes to its neighbours along each dimension. Position p of the mesh is rank name[p].
std::vector<Flow> stencil(const std::vector<int>& dims, const Permutation& name);

}  // namespace strata::check
