// SPDX-License-Identifier: LGPL-2.1-only
// Communication patterns: all of a few ranks up to the ranks' names, and those of many that studies of mapping use.
#pragma once

#include <random>
#include <vector>

#include "check/areas/permutations.h"
#include "records/matrix/pattern.h"

namespace strata::check {

/// What entries a small pattern has.
enum class Entries {
  kBothWays,           // a pair sends each other the same
  kDirected,           // any
  kDirectedAndSelves,  // ranks also send to themselves
};
inline constexpr double kLargeEntry = 1000;

struct SmallPattern {
  std::vector<Flow> flows;
  std::vector<Permutation> symmetries;  // renamings of the ranks that leave it as it is
};

/// One of all patterns that differ in the names of ranks only, those with few entries first. Entries are 0 or 1 byte,
/// or with `weighted` also kLargeEntry. O(3^entries * ranks!).
std::vector<SmallPattern> small_patterns(int ranks, Entries entries, bool weighted);

/// The bytes that rank a sends to b, at a * ranks + b.
std::vector<double> dense(int ranks, const std::vector<Flow>& flows);

/// About `per_rank` entries a rank, of 1 to `most` bytes, some of them to itself.
std::vector<Flow> random_flows(int ranks, int per_rank, int most, std::mt19937_64& random);
/// Each with its neighbours along each dimension, 1000 bytes; position p of the mesh is rank name[p].
std::vector<Flow> stencil(const std::vector<int>& dims, const Permutation& name);

}  // namespace strata::check
