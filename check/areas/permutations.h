// SPDX-License-Identifier: LGPL-2.1-only
// Permutations of ranks: all of a few ranks, and random ones that are equal with every standard library.
#pragma once

#include <random>
#include <vector>

namespace strata::check {

/// A renaming or reordering of ranks.
using Permutation = std::vector<int>;

/// 0, 1, ..., size - 1.
Permutation identity_of(int size);
/// All permutations, the identity first.
std::vector<Permutation> permutations_of(int size);

/// A random number from 0 to bound - 1.
int below(std::mt19937_64& random, int bound);
Permutation shuffled(int size, std::mt19937_64& random);

}  // namespace strata::check
